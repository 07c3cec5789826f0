#include "sql/bind/type_name.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <array>
#include <utility>

#include "sql/bind/node_text.hpp"

namespace tacit {
namespace {

constexpr const char* known_types =
    "cast to boolean, smallint, integer, bigint, numeric(p, s), double precision, text, date or timestamp";

std::string simple_name(const PgQuery__TypeName& name) {
  auto parts = strings_of(name.names, name.n_names);
  if (parts.size() == 2 && parts[0] == "pg_catalog") parts.erase(parts.begin());
  return parts.size() == 1 ? parts[0] : "";
}

Result<SqlType> bind_decimal(const PgQuery__TypeName& name, int position) {
  if (name.n_typmods == 0) {
    return refuse("numeric without a precision has no fixed scale", "write numeric(p, s), for example numeric(12, 2)",
                  position);
  }
  const auto precision = integer_constant(*name.typmods[0]);
  const auto scale = name.n_typmods > 1 ? integer_constant(*name.typmods[1]) : 0;
  const bool fits = name.n_typmods <= 2 && precision && scale && *precision >= 1 && *precision <= 38 && *scale >= 0 &&
                    *scale <= *precision;
  if (!fits) {
    return refuse("numeric(p, s) needs 1 <= p <= 38 and 0 <= s <= p", "write for example numeric(12, 2)", position);
  }
  return SqlType::decimal(static_cast<int>(*precision), static_cast<int>(*scale));
}

}  // namespace

Result<SqlType> bind_type_name(const PgQuery__TypeName& name, int position) {
  if (name.n_array_bounds > 0 || name.setof || name.pct_type) {
    return refuse("arrays and sets are not types Tacit computes with", known_types, position);
  }
  const std::string type = simple_name(name);
  if (type == "numeric" || type == "decimal") return bind_decimal(name, position);

  static const std::array<std::pair<std::string_view, SqlType>, 10> plain_types{{
      {"bool", SqlType::boolean()},
      {"boolean", SqlType::boolean()},
      {"int2", SqlType::integer(16)},
      {"int4", SqlType::integer(32)},
      {"int8", SqlType::integer(64)},
      {"float8", SqlType::real()},
      {"text", SqlType::text()},
      {"varchar", SqlType::text()},
      {"date", SqlType::date()},
      {"timestamp", SqlType::timestamp()},
  }};
  for (const auto& [known, sql_type] : plain_types) {
    if (known != type) continue;
    if (name.n_typmods > 0) {
      return refuse(fmt::format("a cast to {} takes no length or precision", type), fmt::format("write {}", type),
                    position);
    }
    return sql_type;
  }
  if (type == "float4" || type == "double") {
    return refuse(fmt::format("{} is not a type Tacit computes with", type == "float4" ? "real" : type),
                  "write double precision", position);
  }
  if (type == "timestamptz") {
    return refuse("timestamps with a time zone are not a type Tacit computes with", "write timestamp", position);
  }
  const auto parts = strings_of(name.names, name.n_names);
  return refuse(fmt::format("{} is not a type Tacit computes with", parts.empty() ? "this" : parts.back()), known_types,
                position);
}

bool is_interval(const PgQuery__TypeName& name) {
  return simple_name(name) == "interval" && name.n_array_bounds == 0 && !name.setof;
}

Result<std::string> interval_unit(const PgQuery__TypeName& name, int position) {
  if (name.n_typmods == 0) return std::string();
  // The grammar encodes the fields as PostgreSQL's INTERVAL_MASK bits.
  static const std::array<std::pair<long long, const char*>, 6> fields{{
      {1LL << 1, "month"},
      {1LL << 2, "year"},
      {1LL << 3, "day"},
      {1LL << 10, "hour"},
      {1LL << 11, "minute"},
      {1LL << 12, "second"},
  }};
  const auto mask = integer_constant(*name.typmods[0]);
  for (const auto& [bit, unit] : fields) {
    if (name.n_typmods == 1 && mask == bit) return std::string(unit);
  }
  return refuse("an interval has one field here", "write INTERVAL '3' DAY or INTERVAL '3 days'", position);
}

}  // namespace tacit
