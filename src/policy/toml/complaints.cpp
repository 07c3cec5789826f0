#include "policy/toml/complaints.hpp"

#include <fmt/format.h>

#include "base/check.hpp"

namespace tacit {
namespace {

std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  text = text.substr(0, limit);
  // Never cut a character in half.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0) text.remove_suffix(1);
  return std::string(text) + "...";
}

std::string sentence(const std::string& key, const std::string& what) {
  return fmt::format("`{}`: {}", cut(key, 200), what);
}

}  // namespace

void Complaints::add(TomlPlace place, const std::string& key, const std::string& what, std::string hint) {
  keep_first(place, place.line, sentence(key, what), std::move(hint));
}

void Complaints::add_missing(TomlPlace place, TomlPlace end, const std::string& key, const std::string& what,
                             std::string hint) {
  keep_first(end, place.line, sentence(key, what), std::move(hint));
}

void Complaints::keep_first(TomlPlace order, int line, std::string what, std::string hint) {
  if (first_ && first_->order <= order) return;
  first_ = Complaint{order, {FailureCode::usage, std::move(what), fmt::format("{}:{}", file_, line), std::move(hint)}};
}

Failure Complaints::first() const {
  TACIT_CHECK(first_.has_value(), "there is a complaint to report");
  return first_->failure;
}

std::string shown(std::string_view text) {
  std::string result = cut(text, 60);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return '`' + result + '`';
}

}  // namespace tacit
