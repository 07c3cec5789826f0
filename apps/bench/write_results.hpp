#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tacit {

using Figures = std::vector<std::pair<std::string, double>>;

// One query of a suite: named figures in the order they are to be written (plain_ms, private_ms, ...).
struct Measurement {
  std::string name;
  Figures figures;
  std::string note = {};  // why a figure is missing; left out when empty
};

double median(std::vector<double> values);

// Writes `<suite>-<engine>-sf<scale>.json` into the directory; `summary` is over all queries, left out when empty.
Status write_results(const std::string& directory, const std::string& suite, const std::string& engine, double scale,
                     const std::vector<Measurement>& measurements, const Figures& summary = {});

// The same figures as an aligned table.
std::string print_measurements(const std::vector<Measurement>& measurements);

}  // namespace tacit
