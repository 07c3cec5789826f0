#pragma once

#include <memory>
#include <string>

#include "sql/parse.hpp"
#include "sql/parse/check_text.hpp"
#include "sql/parse/privacy_syntax.hpp"

struct PgQuery__Node;
struct PgQuery__ParseResult;

namespace tacit {

// What is inside a ParseTree; for parse.cpp and bind/ alone.
struct ParseTree::Impl {
  struct Release {
    void operator()(PgQuery__ParseResult* result) const;
  };

  std::string text;  // as the analyst wrote it
  TextPositions positions;
  PrivacySyntax privacy;
  std::unique_ptr<PgQuery__ParseResult, Release> result;

  const PgQuery__Node& statement() const;  // the one statement
};

}  // namespace tacit
