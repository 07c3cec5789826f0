#include "bench/write_results.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

namespace tacit {
namespace {

// The commit measured, or "unknown" outside a checkout.
std::string current_commit() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("git rev-parse --short HEAD 2>/dev/null", "r"), pclose);
  char buffer[64] = {};
  if (!pipe || !std::fgets(buffer, sizeof buffer, pipe.get())) return "unknown";
  std::string commit(buffer);
  std::erase(commit, '\n');
  return commit;
}

double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

Status write_results(const std::string& directory, const std::string& suite, const std::string& engine, double scale,
                     const std::vector<Measurement>& measurements, const Figures& summary) {
  nlohmann::ordered_json json;
  json["suite"] = suite;
  json["engine"] = engine;
  json["sf"] = scale;
  json["machine"] = fmt::format("{} cores", std::thread::hardware_concurrency());
  json["date"] =
      fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  json["commit"] = current_commit();
  for (const auto& [name, value] : summary) json["summary"][name] = rounded(value);
  json["queries"] = nlohmann::ordered_json::array();
  for (const auto& measurement : measurements) {
    nlohmann::ordered_json entry;
    entry["name"] = measurement.name;
    for (const auto& [name, value] : measurement.figures) entry[name] = rounded(value);
    if (!measurement.note.empty()) entry["note"] = measurement.note;
    json["queries"].push_back(std::move(entry));
  }
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const auto path = std::filesystem::path(directory) / fmt::format("{}-{}-sf{:g}.json", suite, engine, scale);
  std::ofstream file(path);
  file << json.dump(1) << "\n";
  file.close();
  if (file) return {};
  return fail({FailureCode::usage, "the results could not be written", path.string(),
               "check the directory and its permissions"});
}

std::string print_measurements(const std::vector<Measurement>& measurements) {
  std::string table;
  for (const auto& measurement : measurements) {
    table += fmt::format("{:<28}", measurement.name);
    for (const auto& [name, value] : measurement.figures) table += fmt::format("  {} {:.4g}", name, value);
    if (!measurement.note.empty()) table += "  (" + measurement.note + ")";
    table += "\n";
  }
  return table;
}

}  // namespace tacit
