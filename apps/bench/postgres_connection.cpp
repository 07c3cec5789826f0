#include <fmt/format.h>
#include <libpq-fe.h>

#include <array>
#include <fstream>

#include "bench/bench_connection.hpp"
#include "bench/bench_failure.hpp"

namespace tacit {
namespace {

using Answer = std::unique_ptr<PGresult, void (*)(PGresult*)>;

constexpr const char* hint = "name with --db a database in which you may create schemas";

class PostgresConnection final : public BenchConnection {
 public:
  explicit PostgresConnection(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
  }

  bool is_open() const { return PQstatus(connection_.get()) == CONNECTION_OK; }

  Status run(const std::string& sql) override {
    TACIT_TRY(const auto ignored, value(sql));
    (void)ignored;
    return {};
  }

  Result<std::optional<std::string>> value(const std::string& sql) override {
    const Answer answer(PQexec(connection_.get(), sql.c_str()), PQclear);
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return fail(cannot_run_bench("PostgreSQL", hint));
    if (PQntuples(answer.get()) == 0 || PQgetisnull(answer.get(), 0, 0) == 1) return std::nullopt;
    return PQgetvalue(answer.get(), 0, 0);
  }

  Result<std::vector<std::vector<std::string>>> rows(const std::string& sql) override {
    const Answer answer(PQexec(connection_.get(), sql.c_str()), PQclear);
    if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) return fail(cannot_run_bench("PostgreSQL", hint));
    std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(PQntuples(answer.get())));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (int column = 0; column < PQnfields(answer.get()); ++column)
        rows[row].emplace_back(PQgetvalue(answer.get(), static_cast<int>(row), column));
    }
    return rows;
  }

  Status load_csv(const std::string& table, const std::string& file) override {
    const std::string sql = fmt::format("COPY {} FROM STDIN (FORMAT csv, HEADER true)", table);
    const Answer begun(PQexec(connection_.get(), sql.c_str()), PQclear);
    if (PQresultStatus(begun.get()) != PGRES_COPY_IN) return fail(cannot_run_bench("PostgreSQL", hint));
    if (!send(file)) return fail(cannot_run_bench("PostgreSQL", "free some disk space and try again"));
    const Answer ended(PQgetResult(connection_.get()), PQclear);
    const bool done = PQresultStatus(ended.get()) == PGRES_COMMAND_OK;
    while (PGresult* const more = PQgetResult(connection_.get())) PQclear(more);
    if (!done) return fail(cannot_run_bench("PostgreSQL", "free some disk space and try again"));
    return {};
  }

 private:
  bool send(const std::string& file) {
    std::ifstream rows(file, std::ios::binary);
    if (!rows) return false;
    std::array<char, 1 << 16> buffer{};
    while (rows) {
      rows.read(buffer.data(), buffer.size());
      const auto count = static_cast<int>(rows.gcount());
      if (count > 0 && PQputCopyData(connection_.get(), buffer.data(), count) != 1) return false;
    }
    return PQputCopyEnd(connection_.get(), nullptr) == 1;
  }

  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

}  // namespace

std::string url_with_schema(const std::string& url, const std::string& schema) {
  return url + (url.find('?') == std::string::npos ? "?" : "&") + "options=-csearch_path%3D" + schema;
}

Result<std::unique_ptr<BenchConnection>> open_postgres_schema(const std::string& url, const std::string& schema) {
  auto connection = std::make_unique<PostgresConnection>(url_with_schema(url, schema));
  if (!connection->is_open()) {
    return fail({FailureCode::engine, "the PostgreSQL server of the benchmark does not answer", "",
                 "name another database with --db"});
  }
  TACIT_TRY_STATUS(connection->run(fmt::format("SET max_parallel_workers_per_gather = {}", bench_threads - 1)));
  return connection;
}

}  // namespace tacit
