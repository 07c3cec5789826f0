#include <algorithm>
#include <array>
#include <tuple>

#include "sample_random.hpp"
#include "sample_tables.hpp"

namespace tacit {
namespace {

struct Port {
  const char* name;
  int x;  // kilometres on the chart
  int y;
  int berths;
  int weight;  // how much of the traffic
};

constexpr std::array ports = {
    Port{"Northhaven", 120, 880, 24, 9}, Port{"Saltmouth", 430, 610, 40, 16},  Port{"Greywater", 310, 250, 12, 4},
    Port{"Easterly", 870, 540, 33, 12},  Port{"Lantern Bay", 640, 140, 18, 6},
};

struct Kind {
  const char* name;
  int weight;
  int slowest;  // tenths of a knot
  int fastest;
  int most_cargo;  // tonnes
};

constexpr std::array kinds = {
    Kind{"cargo", 9, 80, 220, 90'000}, Kind{"tanker", 5, 70, 170, 250'000}, Kind{"ferry", 4, 120, 350, 1'200},
    Kind{"fishing", 6, 20, 120, 400},  Kind{"tug", 3, 10, 130, 0},
};

constexpr std::array flags = {"Panama", "Liberia", "Malta", "Norway", "Estonia", "Japan"};
constexpr std::array flag_weights = {9, 7, 4, 3, 2, 2};
constexpr std::array first_words = {"Blue",  "Silent",  "Northern", "Golden", "Grey",
                                    "Swift", "Patient", "Red",      "Lucky",  "Old"};
constexpr std::array second_words = {"Heron", "Star",   "Mermaid", "Gull",    "Anchor",
                                     "Tide",  "Spirit", "Walrus",  "Lantern", "Compass"};

template <class Things>
auto weights_of(const Things& things) {
  std::array<int, std::tuple_size_v<Things>> weights{};
  for (std::size_t i = 0; i < things.size(); ++i) weights[i] = things[i].weight;
  return weights;
}

double tenths(int number) { return number / 10.0; }

std::vector<Value> ship(int id, SampleRandom& random) {
  const Kind& kind = kinds[random.weighted(weights_of(kinds))];
  const Port& port = ports[random.weighted(weights_of(ports))];
  const std::string first = first_words[static_cast<std::size_t>(random.between(0, 9))];
  const std::string second = second_words[static_cast<std::size_t>(random.between(0, 9))];
  const char* flag = flags[random.weighted(flag_weights)];
  const int reach = random.skewed(5, 3000);  // most keep near their port
  const int x = std::clamp(port.x * 10 + random.between(-reach, reach), 0, 10'000);
  const int y = std::clamp(port.y * 10 + random.between(-reach, reach), 0, 10'000);
  const int speed = random.between(kind.slowest, kind.fastest);
  const int cargo = random.skewed(0, kind.most_cargo);
  const bool no_cargo = random.chance(4);  // not declared
  return {whole(id),         first + " " + second + " " + std::to_string(id),
          std::string(flag), std::string(kind.name),
          tenths(x),         tenths(y),
          tenths(speed),     no_cargo ? Value(Null{}) : whole(cargo)};
}

}  // namespace

void write_harbour(SampleWriter& writer) {
  writer.execute(
      "CREATE TABLE port(name VARCHAR PRIMARY KEY, x DOUBLE NOT NULL, y DOUBLE NOT NULL, berths INTEGER NOT NULL)");
  writer.execute(
      "CREATE TABLE ship(id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, flag VARCHAR NOT NULL, kind VARCHAR NOT NULL, "
      "x DOUBLE NOT NULL, y DOUBLE NOT NULL, speed DOUBLE NOT NULL, cargo INTEGER)");
  std::vector<std::vector<Value>> rows;
  for (const Port& port : ports) {
    rows.push_back({std::string(port.name), double(port.x), double(port.y), whole(port.berths)});
  }
  writer.fill("port", rows);

  constexpr int ships = 3000;
  SampleRandom random(2);
  rows.clear();
  for (int id = 1; id <= ships; ++id) rows.push_back(ship(id, random));
  writer.fill("ship", rows);
}

}  // namespace tacit
