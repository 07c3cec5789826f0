#include <fmt/format.h>

#include "bench/reference_figures.hpp"
#include "bench/timed_tasks.hpp"
#include "bench/users_parts.hpp"

namespace tacit {
namespace {

constexpr double asked_epsilon = 1.0;
constexpr std::string_view standard = ".standard";

struct Times {
  std::vector<double> plain;
  std::vector<double> owner;  // the plain query joined to the owner; empty where the plain query is that already
  std::vector<double> statement;
  std::vector<double> answer;
};

template <class T>
Status without_value(const Result<T>& result) {
  if (!result) return fail(result.error());
  return {};
}

// One of the 22 for one kind of user.
struct Asked {
  std::string sql;  // with its options
  std::string plain;
  const NamedQuery* owner;  // null: `plain` joins to the owner already
};

Asked asked_of(const std::vector<NamedQuery>& queries, const NamedQuery& query, const std::string& user) {
  const NamedQuery* plain = find_query(queries, query.name + ".plain");
  return {with_options(query.sql, query.options), (plain == nullptr ? query : *plain).sql,
          find_query(queries, fmt::format("{}.{}.owner", query.name, user))};
}

Result<Times> time_all(Connection& opened, const std::string& schema, const Asked& asked, const Question& question,
                       const PlannedQuery& planned, int repetitions) {
  Engine& engine = *opened.engine;
  Times times;
  const auto add_plain = [&](std::vector<TimedTask>& tasks, const std::string& sql, std::vector<double>& into) {
    tasks.push_back({[&engine, text = with_schema(sql, schema)] { return engine.measure(text); }, &into});
  };
  std::vector<TimedTask> tasks;
  add_plain(tasks, asked.plain, times.plain);
  if (asked.owner != nullptr) add_plain(tasks, asked.owner->sql, times.owner);
  tasks.push_back({[&] { return without_value(engine.run(planned.engine_query)); }, &times.statement});
  tasks.push_back({[&] { return without_value(answer_query(opened, question)); }, &times.answer});
  for (const TimedTask& task : tasks) TACIT_TRY_STATUS(task.run());  // reads the data into memory
  for (int i = 0; i < repetitions; ++i) TACIT_TRY_STATUS(time_in_turn(tasks, static_cast<std::size_t>(i)));
  return times;
}

Figures figures_of(const Times& times) {
  const double plain = median(times.plain);
  const double owner = times.owner.empty() ? plain : median(times.owner);
  const double statement = median(times.statement);
  return {{"plain_ms", plain},
          {"plain_with_owner_ms", owner},
          {"private_ms", statement},
          {"answer_ms", median(times.answer)},
          {"time_ratio_owner", statement / owner},
          {"time_ratio", statement / plain}};
}

Status fill(UsersSite& site, Connection& opened, const Asked& asked, int repetitions, const DrawLimits& limits,
            Measurement& measured) {
  const Question question{asked.sql, {}, Epsilon(asked_epsilon), {}};
  TACIT_TRY(const PlannedQuery planned, plan_for_bench(opened, question));
  TACIT_TRY(const auto rows, site.tables->rows(asked.plain));
  const ExactAnswer exact(planned.mechanism.analyzed.query.outputs, rows);
  TACIT_TRY(const auto drawn, draw_errors(opened, planned, exact, limits));
  TACIT_TRY(const Times times, time_all(opened, site.schema, asked, question, planned, repetitions));
  measured.figures = figures_of(times);
  add_errors(measured.figures, *drawn);
  measured.figures.emplace_back("groups", static_cast<double>(exact.groups()));
  measured.figures.emplace_back("suppressed", drawn->suppressed);
  return {};
}

bool is_one_of_the_22(const NamedQuery& query) { return query.name.find('.') == std::string::npos; }

}  // namespace

Result<std::vector<Measurement>> measure_tpch(UsersSite& site, const std::vector<NamedQuery>& queries, int repetitions,
                                              const DrawLimits& limits) {
  const DrawLimits here{limits.most, limits.seconds / 10.0};
  std::vector<Measurement> all;
  for (const NamedQuery& query : queries) {
    for (auto& [user, opened] : site.with_facts) {
      Measurement measured{fmt::format("tpch/{}/{}", query.name, user), {}};
      if (is_one_of_the_22(query)) {
        const Status filled = fill(site, opened, asked_of(queries, query, user), repetitions, here, measured);
        if (!filled) measured.note = sentence(filled.error());
      } else if (query.name.ends_with(standard)) {
        const auto planned = plan_for_bench(opened, {query.sql, {}, Epsilon(asked_epsilon), {}});
        if (planned) continue;  // answered as it is
        measured.note = sentence(planned.error());
      } else {
        continue;
      }
      all.push_back(std::move(measured));
    }
  }
  return all;
}

}  // namespace tacit
