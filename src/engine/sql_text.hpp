#pragma once

#include <string>
#include <string_view>

namespace tacit {

// "we""ird"
std::string quote_name(std::string_view name);
// 'it''s'
std::string quote_text(std::string_view text);

}  // namespace tacit
