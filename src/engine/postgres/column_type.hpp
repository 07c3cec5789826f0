#pragma once

#include <libpq-fe.h>

#include <optional>
#include <string>

#include "base/type.hpp"

namespace tacit::postgres_engine {

// The types that have fixed numbers in every server.
namespace type_number {
constexpr Oid boolean = 16;
constexpr Oid name = 19;
constexpr Oid int8 = 20;
constexpr Oid int2 = 21;
constexpr Oid int4 = 23;
constexpr Oid text = 25;
constexpr Oid float4 = 700;
constexpr Oid float8 = 701;
constexpr Oid bpchar = 1042;
constexpr Oid varchar = 1043;
constexpr Oid date = 1082;
constexpr Oid timestamp = 1114;
constexpr Oid timestamptz = 1184;
constexpr Oid numeric = 1700;
constexpr Oid uuid = 2950;
}  // namespace type_number

constexpr int first_made_here = 16384;  // objects with smaller numbers are the server's own

// A column's type as the server stores it, what a domain is over in the domain's place.
struct StoredType {
  Oid number = 0;
  int modifier = -1;  // atttypmod
  bool is_domain = false;
  bool is_enum = false;
  bool is_text_inside = false;  // a cast to text changes no bit: varchar, citext
  bool has_own_cast = false;    // somebody made a function of the database its cast to text
  bool reads_by_bytes = false;  // compare its text by bytes, whatever its own collation says

  friend bool operator==(const StoredType&, const StoredType&) = default;
};

// As CatalogColumn holds them.
struct ReadType {
  std::optional<SqlType> type;
  std::string read_as;
  bool needs_declared_digits = false;
};

// What Tacit computes with. Every cast in `read_as` is total.
ReadType column_type(const StoredType& stored);

}  // namespace tacit::postgres_engine
