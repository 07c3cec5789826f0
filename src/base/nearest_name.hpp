#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

// The candidate a person most likely meant (edit distance at most a third of the length), for "did you mean" hints.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// " (did you mean `x`?)", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tacit
