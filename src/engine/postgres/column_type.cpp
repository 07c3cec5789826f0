#include "engine/postgres/column_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tacit::postgres_engine {
namespace {

struct Word {
  Oid number = 0;
  SqlType type;
  const char* word = "";
};

const std::array words = {
    Word{type_number::boolean, SqlType::boolean(), "BOOLEAN"},
    Word{type_number::int2, SqlType::integer(16), "SMALLINT"},
    Word{type_number::int4, SqlType::integer(32), "INTEGER"},
    Word{type_number::int8, SqlType::integer(64), "BIGINT"},
    Word{type_number::float4, SqlType::real(), "REAL"},
    Word{type_number::float8, SqlType::real(), "DOUBLE PRECISION"},
    Word{type_number::date, SqlType::date(), "DATE"},
    Word{type_number::timestamp, SqlType::timestamp(), "TIMESTAMP"},
};

std::string cast_to(const std::string& word) { return fmt::format("CAST({{}} AS {})", word); }

ReadType read_numeric(const StoredType& stored) {
  constexpr int header = 4;
  constexpr int most_digits = 38;
  const std::string unmodified = stored.is_domain ? cast_to("NUMERIC") : "";
  if (stored.modifier < header) return {std::nullopt, unmodified, true};
  const int precision = ((stored.modifier - header) >> 16) & 0xffff;
  const int scale = (((stored.modifier - header) & 0x7ff) ^ 0x400) - 0x400;  // 11 bits with a sign
  // numeric(3,-2) holds up to 99900, numeric(2,4) up to 0.0099.
  const int digits = scale < 0 ? precision - scale : std::max(precision, scale);
  if (digits > most_digits) return {std::nullopt, unmodified, true};
  return {SqlType::decimal(digits, std::max(scale, 0)), unmodified};
}

ReadType read_text(const StoredType& stored) {
  const bool is_plain =
      !stored.is_domain && (stored.number == type_number::text || stored.number == type_number::varchar);
  const std::string text = is_plain ? "{}" : cast_to("TEXT");
  if (stored.reads_by_bytes) return {SqlType::text(), fmt::format("({} COLLATE \"C\")", text)};
  return {SqlType::text(), is_plain ? "" : text};
}

bool casts_to_text(const StoredType& stored) {
  return stored.is_enum || stored.is_text_inside || stored.number == type_number::text ||
         stored.number == type_number::varchar || stored.number == type_number::bpchar ||
         stored.number == type_number::name || stored.number == type_number::uuid;
}

}  // namespace

ReadType column_type(const StoredType& stored) {
  if (stored.number == type_number::numeric) return read_numeric(stored);
  if (stored.has_own_cast) return {};  // which may fail, or say what it likes
  if (casts_to_text(stored)) return read_text(stored);
  // Total: in UTC the same number of microseconds, and infinity stays infinite.
  if (stored.number == type_number::timestamptz) return {SqlType::timestamp(), "({} AT TIME ZONE 'UTC')"};
  const auto* found =
      std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.number == stored.number; });
  if (found == words.end()) return {};
  return {found->type, stored.is_domain ? cast_to(found->word) : ""};
}

}  // namespace tacit::postgres_engine
