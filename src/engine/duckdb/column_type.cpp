#include "engine/duckdb/column_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/check.hpp"

namespace tacit::duckdb_engine {
namespace {

struct Word {
  std::string_view engine;
  SqlType type;
};

// DuckDB's word for a type of Tacit is the first of its lines.
const std::array words = {
    Word{"BOOLEAN", SqlType::boolean()},     Word{"TINYINT", SqlType::integer(8)},
    Word{"SMALLINT", SqlType::integer(16)},  Word{"INTEGER", SqlType::integer(32)},
    Word{"BIGINT", SqlType::integer(64)},    Word{"HUGEINT", SqlType::integer(128)},
    Word{"UTINYINT", SqlType::integer(16)},  Word{"USMALLINT", SqlType::integer(32)},
    Word{"UINTEGER", SqlType::integer(64)},  Word{"UBIGINT", SqlType::integer(128)},
    Word{"DOUBLE", SqlType::real()},         Word{"FLOAT", SqlType::real()},
    Word{"VARCHAR", SqlType::text()},        Word{"DATE", SqlType::date()},
    Word{"TIMESTAMP", SqlType::timestamp()},
};

}  // namespace

std::optional<SqlType> column_type(std::string_view engine_type) {
  const auto* found = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.engine == engine_type; });
  if (found != words.end()) return found->type;
  int precision = 0;
  int scale = 0;
  if (std::sscanf(std::string(engine_type).c_str(), "DECIMAL(%d,%d)", &precision, &scale) == 2) {
    const SqlType type = SqlType::decimal(precision, scale);
    if (engine_word(type) == engine_type) return type;
  }
  return std::nullopt;
}

std::string engine_word(const SqlType& type) {
  if (type.kind == TypeKind::decimal) return fmt::format("DECIMAL({},{})", type.precision, type.scale);
  const auto* found = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.type == type; });
  TACIT_CHECK(found != words.end(), "every type of Tacit has a word in DuckDB");
  return std::string(found->engine);
}

std::optional<std::string_view> usable_cast(std::string_view engine_type) {
  // To the microsecond; every nanosecond timestamp is in range. Python libraries write these.
  if (engine_type == "TIMESTAMP_NS") return "TIMESTAMP";
  return std::nullopt;
}

}  // namespace tacit::duckdb_engine
