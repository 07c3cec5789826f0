#include "sql/typed_query.hpp"

namespace tacit {

bool same_aggregate(const Aggregate& a, const Aggregate& b) {
  if (a.kind != b.kind || (a.argument == nullptr) != (b.argument == nullptr)) return false;
  return a.argument == nullptr || same_expression(*a.argument, *b.argument);
}

}  // namespace tacit
