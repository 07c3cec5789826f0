// Arbitrary bytes as the analyst's text: read, bound and printed against a fixed catalog and policy. Whatever is not
// a refusal must survive both printers; nothing may crash.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"
#include "sql/sample_tables.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tacit::Catalog catalog = tacit::sample::catalog();
  static const tacit::Policy policy = tacit::sample::policy();

  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = tacit::parse_sql(text);
  if (!tree) return 0;
  const auto query = tacit::bind_query(*tree, catalog, policy);
  if (!query) return 0;
  for (const tacit::Dialect* dialect : tacit::all_dialects()) {
    const auto printed = tacit::print_relation(*query->input, *dialect);
    for (const auto& key : query->keys) (void)tacit::print_expression(*key.expression, printed, *dialect);
    for (const auto& aggregate : query->aggregates) {
      if (aggregate.argument) (void)tacit::print_expression(*aggregate.argument, printed, *dialect);
    }
  }
  return 0;
}
