#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tacit::api {

// Why there is no answer. The numbers are the command line's exit codes.
enum class ErrorCode { usage = 2, refused = 3, budget = 4, engine = 5, ledger = 6, bug = 70 };

// A sentence for a person; never a value from the data.
struct Error {
  ErrorCode code = ErrorCode::bug;
  std::string what;
  std::string where;            // "policy.toml:12", a table; may be empty
  std::string hint;             // what to do; may be empty
  std::optional<int> position;  // character in the SQL text, counted from 1
};

// A value or the error that stands in its place.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return held_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // REQUIRES: has_value(); throws std::bad_variant_access otherwise.
  T& value() { return std::get<0>(held_); }
  const T& value() const { return std::get<0>(held_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: not has_value(); throws std::bad_variant_access otherwise.
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

}  // namespace tacit::api
