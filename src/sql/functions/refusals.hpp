#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {

// The sentences that several rules share.

Status expect_arguments(const FunctionRule& rule, std::span<const ExprPtr> args, std::size_t least, std::size_t most,
                        int position);

// An exact result may need more than 38 digits, or a double more than 1e300: names the columns whose bounds would help.
tl::unexpected<Failure> refuse_overflow(std::string_view what, std::span<const ExprPtr> args, int position);

// "`abs` cannot take text", with a hint.
tl::unexpected<Failure> refuse_types(std::string_view what, std::span<const ExprPtr> args, std::string hint,
                                     int position);

std::string type_word(const Expr& expr);  // for messages: "decimal(12,2)", "interval", "an untyped literal"

}  // namespace tacit
