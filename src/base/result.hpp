#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tacit {

// What kind of failure the user meets; the value is the process's exit code (docs/output.md, "Exit codes").
enum class FailureCode {
  violation = 1,  // an audit found one
  usage = 2,      // command line or policy
  refused = 3,    // unsupported or unsafe query
  budget = 4,     // exhausted
  engine = 5,
  ledger = 6,
  bug = 70,
};

// A character of a text, both counted from 1.
struct TextPlace {
  int line = 1;
  int column = 1;
};

// A sentence for a person: what is wrong, where, and what to do. It never carries a value from the data
// or an engine's own error text.
struct Failure {
  FailureCode code = FailureCode::bug;
  std::string what;
  std::string where;                    // "policy.toml:12", "position 17", "line 2, column 8", a table; may be empty
  std::string hint;                     // what to do; may be empty
  std::optional<int> position = {};     // character in the SQL text, counted from 1
  std::optional<TextPlace> place = {};  // the same as line and column, where the text was at hand
};

// Tells a failure with a position in `text` (UTF-8) its line and column; a text of several lines is then told so.
Failure placed_in(std::string_view text, Failure failure);

// "error: <what> ; <where> ; <what to do>", leaving out what is empty.
std::string to_line(const Failure& failure);

const char* code_name(FailureCode code);  // "refused", "budget", ... as in the JSON error

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Failure> {
 public:
  using tl::expected<T, Failure>::expected;
};

using Status = Result<void>;

inline tl::unexpected<Failure> fail(Failure failure) { return tl::unexpected<Failure>(std::move(failure)); }

// A refusal of the query itself (exit 3). `position` counts characters of the SQL text from 1, 0 when there is none.
tl::unexpected<Failure> refuse(std::string what, std::string hint, int position = 0);

}  // namespace tacit

#define TACIT_CONCAT_(a, b) a##b
#define TACIT_CONCAT(a, b) TACIT_CONCAT_(a, b)

// TACIT_TRY(auto x, expression): x takes the value, or the enclosing function returns the failure.
#define TACIT_TRY(declaration, expression) TACIT_TRY_(declaration, expression, TACIT_CONCAT(tacit_result_, __LINE__))
#define TACIT_TRY_(declaration, expression, temporary)                                   \
  auto temporary = (expression);                                                         \
  if (!temporary) return tl::unexpected<::tacit::Failure>(std::move(temporary).error()); \
  declaration = std::move(*temporary)

// The same for a Status.
#define TACIT_TRY_STATUS(expression)                                                             \
  do {                                                                                           \
    auto tacit_status = (expression);                                                            \
    if (!tacit_status) return tl::unexpected<::tacit::Failure>(std::move(tacit_status).error()); \
  } while (false)
