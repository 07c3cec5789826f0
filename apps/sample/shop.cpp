#include <array>

#include "sample_random.hpp"
#include "sample_tables.hpp"

namespace tacit {
namespace {

struct Nation {
  const char* name;
  const char* continent;
  int weight;  // how many of the customers
};

constexpr std::array nations = {
    Nation{"Germany", "Europe", 14}, Nation{"France", "Europe", 11},       Nation{"Estonia", "Europe", 3},
    Nation{"Japan", "Asia", 9},      Nation{"India", "Asia", 8},           Nation{"Brazil", "South America", 6},
    Nation{"Kenya", "Africa", 3},    Nation{"Canada", "North America", 7},
};

struct Segment {
  const char* name;
  int discount;  // percent
  int weight;
};

constexpr std::array segments = {Segment{"household", 0, 10}, Segment{"office", 5, 5}, Segment{"workshop", 8, 3},
                                 Segment{"wholesale", 15, 1}};

constexpr int customers = 2500;

std::vector<Value> customer(int id, SampleRandom& random) {
  std::array<int, nations.size()> nation_weights{};
  for (std::size_t i = 0; i < nations.size(); ++i) nation_weights[i] = nations[i].weight;
  std::array<int, segments.size()> segment_weights{};
  for (std::size_t i = 0; i < segments.size(); ++i) segment_weights[i] = segments[i].weight;
  const char* nation = nations[random.weighted(nation_weights)].name;
  const char* segment = segments[random.weighted(segment_weights)].name;
  const int balance = random.skewed(0, 900'000) - random.skewed(0, 200'000);
  const bool no_balance = random.chance(3);
  const int joined = parse_date("2018-01-01")->days + random.between(0, 2190);
  return {whole(id), std::string(nation), std::string(segment), no_balance ? Value(Null{}) : cents(balance),
          Date{joined}};
}

std::vector<Value> order(int id, SampleRandom& random) {
  const int buyer = 1 + random.skewed(0, customers - 1);  // a few customers place most orders
  const int placed = parse_date("2024-01-01")->days + random.between(0, 365);
  constexpr std::array statuses = {"delivered", "shipped", "returned", "open"};
  const char* status = statuses[random.weighted(std::array{80, 8, 5, 7})];
  const int items = 1 + random.skewed(0, 30);
  const int total = items * random.between(300, 9'000) + random.between(0, 99);
  return {whole(id), whole(buyer), Date{placed}, std::string(status), whole(items), cents(total)};
}

}  // namespace

void write_shop(SampleWriter& writer) {
  writer.execute("CREATE TABLE nation(name VARCHAR PRIMARY KEY, continent VARCHAR NOT NULL)");
  writer.execute("CREATE TABLE segment(name VARCHAR PRIMARY KEY, discount INTEGER NOT NULL)");
  writer.execute(
      "CREATE TABLE customer(id INTEGER PRIMARY KEY, nation VARCHAR NOT NULL, segment VARCHAR NOT NULL, balance "
      "DECIMAL(10,2), joined DATE NOT NULL)");
  writer.execute(
      "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, placed DATE NOT NULL, status VARCHAR NOT "
      "NULL, items INTEGER NOT NULL, total DECIMAL(10,2) NOT NULL)");
  std::vector<std::vector<Value>> rows;
  for (const Nation& nation : nations) rows.push_back({std::string(nation.name), std::string(nation.continent)});
  writer.fill("nation", rows);
  rows.clear();
  for (const Segment& segment : segments) rows.push_back({std::string(segment.name), whole(segment.discount)});
  writer.fill("segment", rows);

  SampleRandom random(3);
  rows.clear();
  for (int id = 1; id <= customers; ++id) rows.push_back(customer(id, random));
  writer.fill("customer", rows);

  constexpr int orders = 8000;
  rows.clear();
  for (int id = 1; id <= orders; ++id) rows.push_back(order(id, random));
  writer.fill("orders", rows);
}

}  // namespace tacit
