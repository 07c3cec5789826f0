#include "sample_writer.hpp"

#include <duckdb.h>

namespace tacit {
namespace {

duckdb_state append(duckdb_appender appender, const Value& value) {
  struct {
    duckdb_appender appender;
    duckdb_state operator()(Null) const { return duckdb_append_null(appender); }
    duckdb_state operator()(bool truth) const { return duckdb_append_bool(appender, truth); }
    duckdb_state operator()(double number) const { return duckdb_append_double(appender, number); }
    duckdb_state operator()(Date date) const { return duckdb_append_date(appender, duckdb_date{date.days}); }
    duckdb_state operator()(Timestamp at) const {
      return duckdb_append_timestamp(appender, duckdb_timestamp{at.microseconds});
    }
    duckdb_state operator()(const std::string& text) const {
      return duckdb_append_varchar_length(appender, text.data(), text.size());
    }
    duckdb_state operator()(const Decimal& number) const {
      const auto units = static_cast<std::int64_t>(number.units);
      if (number.scale == 0) return duckdb_append_int64(appender, units);
      const duckdb_hugeint huge{static_cast<std::uint64_t>(units), units < 0 ? -1 : 0};
      duckdb_value decimal = duckdb_create_decimal({18, static_cast<std::uint8_t>(number.scale), huge});
      const duckdb_state state = duckdb_append_value(appender, decimal);
      duckdb_destroy_value(&decimal);
      return state;
    }
  } const append_one{appender};
  return std::visit(append_one, value);
}

}  // namespace

struct SampleWriter::Handles {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ~Handles() {
    if (connection != nullptr) duckdb_disconnect(&connection);
    if (database != nullptr) duckdb_close(&database);
  }
};

SampleWriter::SampleWriter(const std::string& path)
    : handles_(std::make_unique<Handles>()),
      failed_(duckdb_open(path.c_str(), &handles_->database) != DuckDBSuccess ||
              duckdb_connect(handles_->database, &handles_->connection) != DuckDBSuccess) {}

SampleWriter::~SampleWriter() = default;

void SampleWriter::execute(const std::string& sql) {
  failed_ = failed_ || duckdb_query(handles_->connection, sql.c_str(), nullptr) != DuckDBSuccess;
}

void SampleWriter::fill(const std::string& table, const std::vector<std::vector<Value>>& rows) {
  if (failed_) return;
  duckdb_appender appender = nullptr;
  failed_ = duckdb_appender_create(handles_->connection, nullptr, table.c_str(), &appender) != DuckDBSuccess;
  for (const auto& row : rows) {
    if (failed_) break;
    for (const Value& value : row) failed_ = failed_ || append(appender, value) != DuckDBSuccess;
    failed_ = failed_ || duckdb_appender_end_row(appender) != DuckDBSuccess;
  }
  failed_ = duckdb_appender_destroy(&appender) != DuckDBSuccess || failed_;
}

Status SampleWriter::finish() {
  execute("CHECKPOINT");
  handles_.reset();
  if (failed_) {
    return fail({FailureCode::engine, "the sample database cannot be written", "",
                 "check that the folder may be written to and the disk is not full"});
  }
  return {};
}

}  // namespace tacit
