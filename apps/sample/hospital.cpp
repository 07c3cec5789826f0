#include <algorithm>
#include <array>

#include "sample_random.hpp"
#include "sample_tables.hpp"

namespace tacit {
namespace {

struct Ward {
  const char* name;
  const char* building;
  int beds;
  int weight;  // how many of the visits
  int usual_stay;
  std::array<const char*, 3> diagnoses;  // the first is the most frequent
};

constexpr std::array wards = {
    Ward{"cardiology", "north", 42, 16, 6, {"heart failure", "arrhythmia", "infarction"}},
    Ward{"surgery", "north", 58, 20, 5, {"appendicitis", "hernia", "fracture"}},
    Ward{"intensive care", "north", 14, 4, 9, {"sepsis", "infarction", "pneumonia"}},
    Ward{"paediatrics", "south", 30, 13, 3, {"asthma", "bronchitis", "fracture"}},
    Ward{"maternity", "south", 26, 14, 4, {"birth", "birth", "pre-eclampsia"}},
    Ward{"oncology", "west", 24, 9, 8, {"lung cancer", "breast cancer", "leukaemia"}},
    Ward{"neurology", "west", 22, 8, 7, {"stroke", "epilepsy", "migraine"}},
    Ward{"internal medicine", "west", 64, 16, 5, {"pneumonia", "diabetes", "bronchitis"}},
};

int age_in(const Ward& ward, SampleRandom& random) {
  const std::string name = ward.name;
  if (name == "paediatrics") return random.skewed(0, 40) % 18;
  if (name == "maternity") return random.bell(17, 47);
  return random.bell(18, 104);
}

std::vector<Value> visit(int id, SampleRandom& random) {
  std::array<int, wards.size()> weights{};
  std::transform(wards.begin(), wards.end(), weights.begin(), [](const Ward& ward) { return ward.weight; });
  const Ward& ward = wards[random.weighted(weights)];
  const int patient = 1 + random.skewed(0, 3500);  // some come often
  const char* diagnosis = ward.diagnoses[random.weighted(std::array{6, 3, 2})];
  const bool no_diagnosis = random.chance(3);
  const int age = age_in(ward, random);
  const bool no_age = random.chance(1);
  const bool emergency = random.chance(ward.usual_stay > 6 ? 55 : 30);
  int stay = random.skewed(0, 4 * ward.usual_stay) + random.between(0, ward.usual_stay);
  if (random.chance(1)) stay += random.between(30, 120);  // a few stay for months
  const int cost = 40'000 + stay * random.between(30'000, 75'000) + (emergency ? random.between(20'000, 90'000) : 0);
  const bool no_cost = random.chance(2);  // not billed yet
  const int first_day = parse_date("2024-01-01")->days;
  const int day = first_day + random.between(0, 365);
  return {whole(id),
          whole(patient),
          std::string(ward.name),
          no_diagnosis ? Value(Null{}) : Value(std::string(diagnosis)),
          no_age ? Value(Null{}) : whole(age),
          whole(stay),
          no_cost ? Value(Null{}) : cents(cost),
          Date{day},
          emergency};
}

}  // namespace

void write_hospital(SampleWriter& writer) {
  writer.execute("CREATE TABLE ward(name VARCHAR PRIMARY KEY, building VARCHAR NOT NULL, beds INTEGER NOT NULL)");
  writer.execute(
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, patient INTEGER NOT NULL, ward VARCHAR NOT NULL, diagnosis VARCHAR, "
      "age INTEGER, stay_days INTEGER NOT NULL, cost DECIMAL(10,2), admitted DATE NOT NULL, emergency BOOLEAN NOT "
      "NULL)");
  std::vector<std::vector<Value>> rows;
  for (const Ward& ward : wards) {
    rows.push_back({std::string(ward.name), std::string(ward.building), whole(ward.beds)});
  }
  writer.fill("ward", rows);

  constexpr int visits = 6000;
  SampleRandom random(1);
  rows.clear();
  for (int id = 1; id <= visits; ++id) rows.push_back(visit(id, random));
  writer.fill("visit", rows);
}

}  // namespace tacit
