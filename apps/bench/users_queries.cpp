#include "bench/users_queries.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "bench/csv_cells.hpp"

namespace tacit {
namespace {

constexpr std::string_view select = "SELECT";
constexpr std::size_t error_columns = 6;
constexpr std::size_t peer_columns = 3;
constexpr std::array<double, 3> race_epsilons{0.1, 0.8, 1.6};

Failure wrong_line(const std::string& query) {
  return {FailureCode::usage, "the benchmark's published figures cannot be read", query,
          "give every line the figures that the heading names"};
}

}  // namespace

Result<std::vector<PublishedError>> read_published_errors(const std::string& text) {
  std::vector<PublishedError> all;
  for (const auto& cells : read_csv_cells(text)) {
    if (cells.size() != error_columns) return fail(wrong_line(cells[0]));
    const auto groups = read_number(cells[2]);
    const auto delta = read_number(cells[3]);
    const auto error = read_number(cells[4]);
    if (!groups || !delta || !error) return fail(wrong_line(cells[0]));
    all.push_back({cells[0], cells[1], static_cast<int>(*groups), *delta, *error, read_number(cells[5])});
  }
  return all;
}

Result<std::vector<PublishedRace>> read_published_races(const std::string& text) {
  std::vector<PublishedRace> all;
  for (const auto& cells : read_csv_cells(text)) {
    if (cells.size() != 2 + race_epsilons.size()) return fail(wrong_line(cells[0]));
    PublishedRace race{cells[0], cells[1], {}};
    for (std::size_t i = 0; i < race_epsilons.size(); ++i) {
      const auto percent = read_number(cells[2 + i]);
      if (!percent) return fail(wrong_line(cells[0]));
      race.errors.emplace_back(race_epsilons[i], *percent / 100.0);
    }
    all.push_back(std::move(race));
  }
  return all;
}

Result<std::vector<PeerError>> read_peer_errors(const std::string& text) {
  std::vector<PeerError> all;
  for (const auto& cells : read_csv_cells(text)) {
    if (cells.size() != peer_columns) return fail(wrong_line(cells[0]));
    const auto scale = read_number(cells[1]);
    const auto error = read_number(cells[2]);
    if (!scale || !error) return fail(wrong_line(cells[0]));
    all.push_back({cells[0], *scale, *error});
  }
  return all;
}

const NamedQuery* find_query(const std::vector<NamedQuery>& queries, const std::string& name) {
  const auto found =
      std::find_if(queries.begin(), queries.end(), [&](const auto& query) { return query.name == name; });
  return found == queries.end() ? nullptr : &*found;
}

std::string with_options(const std::string& sql, const std::string& options) {
  TACIT_CHECK(sql.starts_with(select), "a benchmark query begins with SELECT");
  if (options.empty()) return sql;
  return "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(" + options + ")" + sql.substr(select.size());
}

}  // namespace tacit
