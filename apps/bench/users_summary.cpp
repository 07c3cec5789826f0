#include <algorithm>
#include <set>

#include "bench/reference_figures.hpp"
#include "bench/users_parts.hpp"

namespace tacit {
namespace {

const double* find_figure(const Measurement& measurement, const std::string& name) {
  for (const auto& [key, value] : measurement.figures) {
    if (key == name) return &value;
  }
  return nullptr;
}

// "q3" of "tpch/q3/customer".
std::string query_of(const std::string& name) {
  const std::size_t begin = name.find('/') + 1;
  return name.substr(begin, name.find('/', begin) - begin);
}

// What an analyst gets who asks for nothing special, on the query that the figure seems to be of.
bool compares(const std::string& name) {
  return name.find(".filtered") == std::string::npos && !name.ends_with("/race");
}

void add_mean(Figures& summary, const std::string& name, const std::vector<double>& values) {
  if (values.empty()) return;
  summary.emplace_back(name + "_mean", geometric_mean(values));
  summary.emplace_back(name + "_worst", *std::max_element(values.begin(), values.end()));
}

}  // namespace

Figures summarize_users(const std::vector<Measurement>& measurements) {
  std::set<std::string> asked;
  std::set<std::string> answered;
  std::vector<double> to_owner;
  std::vector<double> to_plain;
  double published = 0.0;
  double reached = 0.0;
  for (const Measurement& measurement : measurements) {
    const double* theirs = find_figure(measurement, "published");
    const double* ours = find_figure(measurement, "error_median");
    if (theirs != nullptr && ours != nullptr && compares(measurement.name)) {
      ++published;
      if (*ours <= *theirs) ++reached;
    }
    const std::string query = query_of(measurement.name);
    if (!measurement.name.starts_with("tpch/") || query.find('.') != std::string::npos) continue;
    asked.insert(query);
    const double* ratio = find_figure(measurement, "time_ratio");
    if (ratio == nullptr) continue;
    answered.insert(query);
    to_plain.push_back(*ratio);
    to_owner.push_back(*find_figure(measurement, "time_ratio_owner"));
  }
  Figures summary{{"queries", static_cast<double>(asked.size())},
                  {"answered", static_cast<double>(answered.size())},
                  {"published_figures", published},
                  {"published_figures_reached", reached}};
  add_mean(summary, "time_ratio_owner", to_owner);
  add_mean(summary, "time_ratio", to_plain);
  return summary;
}

}  // namespace tacit
