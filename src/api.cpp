#include <fmt/format.h>

#include "answer/answer_notes.hpp"
#include "answer/print_answer.hpp"
#include "answer_query.hpp"
#include "base/check.hpp"
#include "tacit/database.hpp"
#include "tacit/session.hpp"

namespace tacit::api {
namespace {

Error to_error(Failure failure) {
  return {static_cast<ErrorCode>(failure.code), std::move(failure.what), std::move(failure.where),
          std::move(failure.hint), failure.position};
}

// Ours and third-party exceptions become errors here; only a broken invariant's text is known to carry no data.
template <class T, class Work>
Outcome<T> guarded(Work work) {
  constexpr const char* report = "this is a bug of Tacit: please report it; what was charged stays charged";
  try {
    return work();
  } catch (const InvariantBroken& broken) {
    return Error{ErrorCode::bug, broken.what(), "", report, {}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return Error{ErrorCode::bug, "an unexpected failure", "", report, {}};
  }
}

Question to_question(const std::string& sql, const QueryOptions& options) {
  Question question;
  question.sql = sql;
  question.analyst = options.analyst;
  if (options.epsilon) question.epsilon = Epsilon(*options.epsilon);
  if (options.delta) question.delta = Delta(*options.delta);
  return question;
}

Price to_price(Epsilon epsilon, Delta delta) { return {epsilon.value(), delta.value()}; }

Cell to_cell(const NoisyCell& noisy, const NoisyColumn& column) {
  Cell cell;
  cell.is_null = std::holds_alternative<Null>(noisy.value);
  cell.text = to_string(noisy.value);
  if (const auto* exact = std::get_if<Decimal>(&noisy.value)) cell.number = to_double(*exact);
  if (const auto* real = std::get_if<double>(&noisy.value)) cell.number = *real;
  if (noisy.interval95) {
    (column.left_out.empty() ? cell.interval95 : cell.noise_interval95) =
        Cell::Interval{to_string(noisy.interval95->first), to_string(noisy.interval95->second)};
  }
  return cell;
}

Answer to_public(const tacit::Answer& answer) {
  Answer told;
  for (const NoisyColumn& column : answer.rows.columns)
    told.columns.push_back({column.output.name, to_string(column.output.type), column.mechanism, column.scale});
  for (const auto& row : answer.rows.rows) {
    auto& cells = told.rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(to_cell(row[i], answer.rows.columns[i]));
  }
  told.model = answer.model;
  told.guarantee = to_price(answer.epsilon, answer.delta);
  told.spent = to_price(answer.spent.epsilon, answer.spent.delta);
  told.remaining = to_price(answer.remaining.epsilon, answer.remaining.delta);
  told.notes = answer_notes(answer);
  told.text = print_answer(answer, Format::table);
  told.json = print_answer(answer, Format::json);
  return told;
}

Explanation to_public(const tacit::Explanation& explanation) {
  Explanation told;
  told.model = explanation.model;
  told.neighbours = explanation.neighbours;
  told.price = to_price(explanation.price, explanation.delta);
  told.remaining = to_price(explanation.remaining.epsilon, explanation.remaining.delta);
  told.engine_sql = explanation.sql_engine;
  for (const auto& error : explanation.errors)
    told.errors.push_back({error.column, error.mechanism, error.sensitivity, error.scale, error.median, error.p95});
  told.notes = explanation.notes;
  told.text = print_explanation(explanation, Format::table);
  told.json = print_explanation(explanation, Format::json);
  return told;
}

const char* model_name(const TableModel& model) {
  constexpr const char* names[] = {"public", "rows", "users", "metric"};  // in the order of TableModel
  static_assert(std::variant_size_v<TableModel> == std::size(names));
  return names[model.index()];
}

PolicySummary summary_of(const Policy& policy) {
  PolicySummary summary;
  for (const TablePolicy& table : policy.tables)
    summary.tables.push_back({to_string(table.name), model_name(table.model)});
  for (const auto& [name, allowance] : policy.budget.analysts)
    summary.analysts.push_back({name, to_price(allowance.epsilon, allowance.delta)});
  summary.total_allowance = to_price(policy.budget.global.epsilon, policy.budget.global.delta);
  summary.default_price = to_price(policy.defaults.epsilon, policy.defaults.delta);
  summary.least_epsilon = policy.defaults.epsilon_min.value();
  summary.most_epsilon = policy.defaults.epsilon_max.value();
  return summary;
}

}  // namespace

struct Database::Impl {
  std::shared_ptr<tacit::Database> database;
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Outcome<Database> Database::open(const std::string& policy_path) {
  return guarded<Database>([&]() -> Outcome<Database> {
    auto opened = tacit::Database::open(policy_path);
    if (!opened) return to_error(std::move(opened).error());
    return Database(std::make_unique<Impl>(Impl{std::move(*opened)}));
  });
}

struct Session::Impl {
  Connection connection;
};

Outcome<Session> Database::connect() {
  return guarded<Session>([&]() -> Outcome<Session> {
    auto connection = tacit::Database::connect(impl_->database);
    if (!connection) return to_error(std::move(connection).error());
    return Session(std::make_unique<Session::Impl>(Session::Impl{std::move(*connection)}));
  });
}

PolicySummary Database::policy() const { return summary_of(impl_->database->policy()); }

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Outcome<Session> Session::open(const std::string& policy_path) {
  auto database = Database::open(policy_path);
  if (!database) return database.error();
  return database->connect();
}

Outcome<Answer> Session::query(const std::string& sql, const QueryOptions& options) {
  return guarded<Answer>([&]() -> Outcome<Answer> {
    auto told = answer_query(impl_->connection, to_question(sql, options));
    if (!told) return to_error(std::move(told).error());
    if (const auto* answer = std::get_if<tacit::Answer>(&*told)) return to_public(*answer);
    return Error{ErrorCode::refused, "EXPLAIN (PRIVACY) has no answer", "", "call Session::explain", {}};
  });
}

Outcome<Explanation> Session::explain(const std::string& sql, const QueryOptions& options) {
  return guarded<Explanation>([&]() -> Outcome<Explanation> {
    auto explanation = explain_query(impl_->connection, to_question(sql, options), false);
    if (!explanation) return to_error(std::move(explanation).error());
    return to_public(*explanation);
  });
}

PolicySummary Session::policy() const { return summary_of(impl_->connection.database->policy()); }

void Session::cancel() { impl_->connection.engine->cancel(); }

}  // namespace tacit::api
