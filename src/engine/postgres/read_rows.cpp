#include "engine/postgres/read_rows.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.hpp"
#include "engine/postgres/column_type.hpp"
#include "engine/postgres/network_order.hpp"
#include "engine/postgres/read_numeric.hpp"

namespace tacit::postgres_engine {
namespace {

// The server counts from 2000-01-01.
constexpr std::int32_t epoch_days = 10'957;
constexpr std::int64_t epoch_microseconds = epoch_days * 86'400'000'000LL;

class Cell {
 public:
  Cell(const PGresult& answer, int row, int column)
      : type_(PQftype(&answer, column)), is_null_(PQgetisnull(&answer, row, column) != 0) {
    if (!is_null_) {
      bytes_ = {PQgetvalue(&answer, row, column), static_cast<std::size_t>(PQgetlength(&answer, row, column))};
    }
  }

  bool is_null() const { return is_null_; }
  std::string_view bytes() const { return bytes_; }
  bool is(Oid type) const { return type_ == type; }

  template <class T>
  T number() const {
    TACIT_CHECK(bytes_.size() == sizeof(T), "a binary cell is as long as its type");
    return network_order<T>(bytes_, 0);
  }

  // A whole number of 10^-scale; empty when it is none.
  std::optional<Int128> units(int scale) const {
    switch (type_) {
      case type_number::int2: return scaled(number<std::int16_t>(), scale);
      case type_number::int4: return scaled(number<std::int32_t>(), scale);
      case type_number::int8: return scaled(number<std::int64_t>(), scale);
      case type_number::numeric: return read_numeric(bytes_, scale);
      default: invariant_broken("an exact number is an integer or a numeric of the server", __FILE__, __LINE__);
    }
  }

 private:
  static std::optional<Int128> scaled(std::int64_t value, int scale) {
    return scale == 0 ? Int128{value} : checked_multiply(value, power_of_ten(scale));
  }

  Oid type_;
  bool is_null_;
  std::string_view bytes_;
};

Value read_exact(const Cell& cell, int scale) {
  const auto units = cell.units(scale);
  return units ? Value(Decimal{*units, scale}) : Value(Null{});
}

Value read_real(const Cell& cell) {
  if (cell.is(type_number::float4)) return static_cast<double>(std::bit_cast<float>(cell.number<std::uint32_t>()));
  TACIT_CHECK(cell.is(type_number::float8), "a real number is a float of the server");
  return std::bit_cast<double>(cell.number<std::uint64_t>());
}

Value read_date(const Cell& cell) {
  TACIT_CHECK(cell.is(type_number::date), "a date is a date of the server");
  const auto days = cell.number<std::int32_t>();
  using Days = std::numeric_limits<std::int32_t>;
  if (days == Days::min() || days > Days::max() - epoch_days) return Null{};  // the largest is infinity
  return Date{days + epoch_days};
}

Value read_timestamp(const Cell& cell) {
  TACIT_CHECK(cell.is(type_number::timestamp), "a timestamp is a timestamp of the server");
  const auto microseconds = cell.number<std::int64_t>();
  using Microseconds = std::numeric_limits<std::int64_t>;
  if (microseconds == Microseconds::min() || microseconds > Microseconds::max() - epoch_microseconds) return Null{};
  return Timestamp{microseconds + epoch_microseconds};
}

Value read_text(const Cell& cell) {
  TACIT_CHECK(cell.is(type_number::text) || cell.is(type_number::varchar), "a text is a text of the server");
  return std::string(cell.bytes());
}

Value read_value(const Cell& cell, const SqlType& type) {
  if (cell.is_null()) return Null{};
  switch (type.kind) {
    case TypeKind::boolean:
      TACIT_CHECK(cell.is(type_number::boolean), "a boolean is a boolean of the server");
      return cell.number<std::uint8_t>() != 0;
    case TypeKind::integer: return read_exact(cell, 0);
    case TypeKind::decimal: return read_exact(cell, type.scale);
    case TypeKind::real: return read_real(cell);
    case TypeKind::text: return read_text(cell);
    case TypeKind::date: return read_date(cell);
    case TypeKind::timestamp: return read_timestamp(cell);
    case TypeKind::unknown: break;
  }
  invariant_broken("a key of a finished query has a type", __FILE__, __LINE__);
}

void check_width(const PGresult& answer, std::size_t width) {
  TACIT_CHECK(static_cast<std::size_t>(PQnfields(&answer)) == width, "the server returns the columns the query names");
}

}  // namespace

void ValuesCollector::take(const PGresult& answer) {
  check_width(answer, types_.size());
  for (int row = 0; row < PQntuples(&answer); ++row) {
    std::vector<Value>& values = rows_.emplace_back();
    values.reserve(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i) {
      values.push_back(read_value(Cell(answer, row, static_cast<int>(i)), types_[i]));
    }
  }
}

void ExactRowsCollector::take(const PGresult& answer) {
  check_width(answer, keys_.size() + cell_scales_.size());
  for (int row = 0; row < PQntuples(&answer); ++row) {
    int column = 0;
    for (const SqlType& key : keys_) builder_.add_key(read_value(Cell(answer, row, column++), key));
    for (const int scale : cell_scales_) {
      const Cell cell(answer, row, column++);
      TACIT_CHECK(!cell.is_null(), "a cell is never NULL");
      const auto units = cell.units(scale);
      TACIT_CHECK(units, "a cell is an exact number on its grid");
      builder_.add_cell(*units);
    }
  }
}

}  // namespace tacit::postgres_engine
