#pragma once

#include <string>

namespace tacit {

enum class TypeKind {
  unknown,  // an untyped literal ('...' or NULL) before its context gives it a type; never in a finished query
  boolean,
  integer,  // bits: 8, 16, 32, 64 or 128
  decimal,  // precision (up to 38) and scale
  real,     // IEEE double
  text,
  date,
  timestamp,  // without time zone, microseconds
};

// The types Tacit computes with, the same on every engine.
struct SqlType {
  TypeKind kind = TypeKind::unknown;
  int bits = 0;       // integer only
  int precision = 0;  // decimal only
  int scale = 0;      // decimal only

  static SqlType boolean() { return {TypeKind::boolean}; }
  static SqlType integer(int bits = 64) { return {TypeKind::integer, bits}; }
  static SqlType decimal(int precision, int scale) { return {TypeKind::decimal, 0, precision, scale}; }
  static SqlType real() { return {TypeKind::real}; }
  static SqlType text() { return {TypeKind::text}; }
  static SqlType date() { return {TypeKind::date}; }
  static SqlType timestamp() { return {TypeKind::timestamp}; }

  bool is_exact_number() const { return kind == TypeKind::integer || kind == TypeKind::decimal; }
  bool is_number() const { return is_exact_number() || kind == TypeKind::real; }
  friend bool operator==(const SqlType&, const SqlType&) = default;
};

// As an answer names it: boolean, smallint, integer, bigint, decimal(12,2), double, text, date, timestamp.
std::string to_string(const SqlType& type);

}  // namespace tacit
