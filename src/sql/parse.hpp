#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit {

// The analyst's text, parsed by PostgreSQL's own grammar. Opaque: only sql/ looks inside.
class ParseTree {
 public:
  struct Impl;
  explicit ParseTree(std::unique_ptr<Impl> impl);
  ParseTree(ParseTree&&) noexcept;
  ParseTree& operator=(ParseTree&&) noexcept;
  ~ParseTree();
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Exactly one statement. Hostile text (too long, too deep, invalid UTF-8) is refused in milliseconds.
Result<ParseTree> parse_sql(std::string_view sql);

}  // namespace tacit
