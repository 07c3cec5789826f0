#include "engine/duckdb/read_rows.hpp"

#include <optional>
#include <string>

#include "base/check.hpp"

namespace tacit::duckdb_engine {
namespace {

// One column of one chunk.
class ColumnView {
 public:
  ColumnView(duckdb_data_chunk chunk, idx_t column) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
    const LogicalType logical(duckdb_vector_get_column_type(vector));
    type_ = duckdb_get_type_id(logical.get());
    if (type_ == DUCKDB_TYPE_DECIMAL) {
      scale_ = duckdb_decimal_scale(logical.get());
      storage_ = duckdb_decimal_internal_type(logical.get());
    } else {
      storage_ = type_;
    }
    data_ = duckdb_vector_get_data(vector);
    validity_ = duckdb_vector_get_validity(vector);
  }

  duckdb_type type() const { return type_; }
  int scale() const { return scale_; }
  bool is_null(idx_t row) const { return validity_ != nullptr && !duckdb_validity_row_is_valid(validity_, row); }
  template <class T>
  const T& at(idx_t row) const {
    return static_cast<const T*>(data_)[row];
  }

  // Integers, and decimals without their point; empty for any other type.
  std::optional<Int128> integer(idx_t row) const {
    switch (storage_) {
      case DUCKDB_TYPE_TINYINT: return at<std::int8_t>(row);
      case DUCKDB_TYPE_SMALLINT: return at<std::int16_t>(row);
      case DUCKDB_TYPE_INTEGER: return at<std::int32_t>(row);
      case DUCKDB_TYPE_BIGINT: return at<std::int64_t>(row);
      case DUCKDB_TYPE_UTINYINT: return at<std::uint8_t>(row);
      case DUCKDB_TYPE_USMALLINT: return at<std::uint16_t>(row);
      case DUCKDB_TYPE_UINTEGER: return at<std::uint32_t>(row);
      case DUCKDB_TYPE_UBIGINT: return at<std::uint64_t>(row);
      case DUCKDB_TYPE_HUGEINT: {
        const auto& huge = at<duckdb_hugeint>(row);
        return (static_cast<Int128>(huge.upper) << 64) | static_cast<Int128>(huge.lower);
      }
      default: return std::nullopt;
    }
  }

  std::string text(idx_t row) const {
    auto string = at<duckdb_string_t>(row);
    return {duckdb_string_t_data(&string), duckdb_string_t_length(string)};
  }

 private:
  duckdb_type type_ = DUCKDB_TYPE_INVALID;
  duckdb_type storage_ = DUCKDB_TYPE_INVALID;
  int scale_ = 0;
  void* data_ = nullptr;
  std::uint64_t* validity_ = nullptr;
};

Value exact_number(const ColumnView& column, idx_t row, int scale) {
  const auto units = column.integer(row);
  TACIT_CHECK(units, "an exact key is an integer or a decimal of the engine");
  const auto value = rescale(Decimal{*units, column.scale()}, scale);
  TACIT_CHECK(value, "a key fits its type");
  return *value;
}

double real_number(const ColumnView& column, idx_t row) {
  if (column.type() == DUCKDB_TYPE_FLOAT) return column.at<float>(row);
  TACIT_CHECK(column.type() == DUCKDB_TYPE_DOUBLE, "a real key is a DOUBLE of the engine");
  return column.at<double>(row);
}

Value read_value(const ColumnView& column, idx_t row, const SqlType& type) {
  if (column.is_null(row)) return Null{};
  switch (type.kind) {
    case TypeKind::boolean:
      TACIT_CHECK(column.type() == DUCKDB_TYPE_BOOLEAN, "a boolean key is a BOOLEAN of the engine");
      return column.at<bool>(row);
    case TypeKind::integer: return exact_number(column, row, 0);
    case TypeKind::decimal: return exact_number(column, row, type.scale);
    case TypeKind::real: return real_number(column, row);
    case TypeKind::text:
      TACIT_CHECK(column.type() == DUCKDB_TYPE_VARCHAR, "a text key is a VARCHAR of the engine");
      return column.text(row);
    case TypeKind::date: {
      TACIT_CHECK(column.type() == DUCKDB_TYPE_DATE, "a date key is a DATE of the engine");
      const auto date = column.at<duckdb_date>(row);
      return duckdb_is_finite_date(date) ? Value(Date{date.days}) : Value(Null{});
    }
    case TypeKind::timestamp: {
      TACIT_CHECK(column.type() == DUCKDB_TYPE_TIMESTAMP, "a timestamp key is a TIMESTAMP of the engine");
      const auto timestamp = column.at<duckdb_timestamp>(row);
      return duckdb_is_finite_timestamp(timestamp) ? Value(Timestamp{timestamp.micros}) : Value(Null{});
    }
    case TypeKind::unknown: break;
  }
  invariant_broken("a key of a finished query has a type", __FILE__, __LINE__);
}

// Calls `take(columns, row)` for every row.
template <class Take>
void for_each_row(QueryResult& result, std::size_t width, const Take& take) {
  TACIT_CHECK(duckdb_column_count(result.get()) == width, "the engine returns the columns the statement names");
  while (true) {
    const Chunk chunk(duckdb_fetch_chunk(*result.get()));
    if (chunk.get() == nullptr) return;
    std::vector<ColumnView> columns;
    for (idx_t column = 0; column < width; ++column) columns.emplace_back(chunk.get(), column);
    const idx_t rows = duckdb_data_chunk_get_size(chunk.get());
    for (idx_t row = 0; row < rows; ++row) take(columns, row);
  }
}

}  // namespace

std::vector<std::vector<Value>> read_values(QueryResult& result, const std::vector<SqlType>& types) {
  std::vector<std::vector<Value>> rows;
  for_each_row(result, types.size(), [&](const std::vector<ColumnView>& columns, idx_t row) {
    std::vector<Value>& values = rows.emplace_back();
    values.reserve(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) values.push_back(read_value(columns[i], row, types[i]));
  });
  return rows;
}

ExactRows read_exact_rows(QueryResult& result, const std::vector<SqlType>& keys, const std::vector<int>& cell_scales) {
  ExactRows::Builder builder(keys.size(), cell_scales.size());
  for_each_row(result, keys.size() + cell_scales.size(), [&](const std::vector<ColumnView>& columns, idx_t row) {
    for (std::size_t i = 0; i < keys.size(); ++i) builder.add_key(read_value(columns[i], row, keys[i]));
    for (std::size_t i = keys.size(); i < columns.size(); ++i) {
      TACIT_CHECK(!columns[i].is_null(row), "a cell is never NULL");
      const auto units = columns[i].integer(row);
      TACIT_CHECK(units && columns[i].scale() == cell_scales[i - keys.size()], "a cell is exact, in units of its grid");
      builder.add_cell(*units);
    }
  });
  return builder.finish();
}

}  // namespace tacit::duckdb_engine
