#include "users_soundness/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit::users_soundness {
namespace {

std::string failed(const char* step, const Failure& failure, const PlannedQuery& planned) {
  return fmt::format("{} fails: {}\n{}", step, to_line(failure), planned.engine_query.sql);
}

// The one spelling that person_text gives.
std::string canonical(std::string person) {
  person.erase(person.find_last_not_of(' ') + 1);
  if (!person.empty() && person.front() == 'U') person.front() = 'u';
  return person;
}

// The rows of the whole database that are not the person's, against those without the person.
std::optional<std::string> compare_input(const World& world, const Seen& all, const Seen& rest, int person) {
  auto others = all.input.rows;
  const std::string text = person_text(world.person, person);
  std::erase_if(others,
                [&](const auto& row) { return canonical(row.front().substr(row.front().find(':') + 1)) == text; });
  if (others == rest.input.rows) return std::nullopt;
  return fmt::format("without the person other people's rows change:\n{}\nagainst\n{}\n{}", fmt::join(others, "\n"),
                     fmt::join(rest.input.rows, "\n"), all.planned.engine_query.sql);
}

template <class T>
bool drop_one(Case& test, std::vector<T>& list, std::size_t at) {
  const T dropped = list[at];
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  if (violation_of(test)) return true;
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), dropped);
  return false;
}

template <class T>
void drop_all(Case& test, std::vector<T>& list, std::size_t least) {
  for (std::size_t i = list.size(); i-- > 0 && list.size() > least;) drop_one(test, list, i);
}

}  // namespace

std::optional<Seen> look(Probe& probe, PlannedQuery planned, std::string& wrong) {
  auto cells = probe.cells(planned);
  auto input = probe.input(planned);
  if (!cells || !input) {
    wrong = failed(!cells ? "the statement" : "the input", !cells ? cells.error() : input.error(), planned);
    return std::nullopt;
  }
  return Seen{std::move(planned), std::move(*cells), std::move(*input)};
}

std::optional<Seen> look_closely(Probe& probe, PlannedQuery planned, std::string& wrong) {
  const auto status = probe.run(planned);
  const auto foreign = probe.foreign_rows(planned);
  if (!status || !foreign) {
    wrong = failed(!status ? "the statement" : "the provenance", !status ? status.error() : foreign.error(), planned);
    return std::nullopt;
  }
  if (*foreign != 0) {
    wrong = "a row holds rows of two people\n" + planned.engine_query.sql;
    return std::nullopt;
  }
  return look(probe, std::move(planned), wrong);
}

std::optional<std::string> compare(const World& world, const Seen& all, const Seen& rest, int person) {
  const auto& plan = all.planned.mechanism;
  if (auto wrong = find_violation(analysis_of<UsersAnalysis>(plan.analyzed), all.cells, rest.cells))
    return *wrong + "\n" + all.planned.engine_query.sql;
  return compare_input(world, all, rest, person);
}

std::optional<std::string> violation_of(const Case& test) {
  Probe probe(test.world, {test.data, without(test.data, test.person)}, test.engine);
  if (probe.failure()) return std::nullopt;
  std::string wrong;
  std::vector<Seen> seen;
  for (const std::size_t version : {0U, 1U}) {
    auto planned = probe.plan(test.query, version);
    if (!planned) return std::nullopt;
    auto one = version == 0 ? look_closely(probe, std::move(*planned), wrong) : look(probe, std::move(*planned), wrong);
    if (!one) return wrong;
    seen.push_back(std::move(*one));
  }
  return compare(test.world, seen[0], seen[1], test.person);
}

Case shrink(Case test) {
  drop_all(test, test.query.conditions, 0);
  drop_all(test, test.query.keys, 0);
  drop_all(test, test.query.aggregates, 1);
  for (auto& rows : test.data) drop_all(test, rows, 0);
  return test;
}

std::string reproducer(const Case& test) {
  std::string text = policy_text(test.world, 1);
  for (const auto& sql : create_statements(test.world, 0)) text += sql + ";\n";
  for (const auto& sql : insert_statements(test.world, test.data, 0)) text += sql + ";\n";
  return text + fmt::format("{};\nwithout {}: {}\n", test.query.sql(schema_of(0)),
                            person_text(test.world.person, test.person),
                            violation_of(test).value_or("nothing is wrong any more"));
}

}  // namespace tacit::users_soundness
