#include "growth/world.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "policy/against_catalog/check_against_catalog.hpp"

namespace tacit::testing {
namespace {

constexpr int wide_columns = 1'000;
constexpr int names = 10'000;

std::string listed(int size, const char* before) {
  std::string text;
  for (int i = 0; i < size; ++i) text += fmt::format("{}{}{}", i == 0 ? "" : ", ", before, i);
  return text;
}

std::string model_of(const std::string& model, const std::string& columns, const std::string& shown) {
  if (model == "rows") return "rows = \"add-remove\"\n";
  if (model == "users") return "owner = \"id\"\n";
  return fmt::format("metric = \"l1({})\"\npublic_columns = [{}]\n", columns, shown);
}

}  // namespace

Catalog growth_catalog() {
  const auto column = [](std::string name, SqlType type) {
    return CatalogColumn{std::move(name), type, to_string(type), false};
  };
  const SqlType whole = SqlType::integer(32);
  CatalogTable wide{"main", "wide", {column("id", whole)}, {}};
  for (int i = 0; i < wide_columns; ++i) wide.columns.push_back(column(fmt::format("c{}", i), whole));
  Catalog catalog;
  catalog.search_path = {"main"};
  catalog.tables.push_back(
      {"main",
       "item",
       {column("id", whole), column("partner", whole), column("kind_id", whole), column("x", whole), column("y", whole),
        column("bounded", SqlType::real()), column("small", SqlType::real()), column("tiny", SqlType::real()),
        column("r", SqlType::real()), column("cost", SqlType::decimal(10, 2)), column("day", SqlType::date()),
        column("name", SqlType::text())},
       {}});
  catalog.tables.push_back(std::move(wide));
  catalog.tables.push_back({"main", "kind", {column("id", whole), column("label", SqlType::text())}, {}});
  catalog.tables.back().unique_keys = {{"id"}};
  return catalog;
}

std::vector<std::string> growth_models() { return {"rows", "users", "metric"}; }

std::unique_ptr<const Policy> growth_policy(const std::string& model, const Catalog& catalog) {
  std::string values;
  for (int i = 0; i < names; ++i) values += fmt::format("{}\"t{}\"", i == 0 ? "" : ", ", i);
  // In the metric model x and y are unbounded: the bounds of their products are symbolic.
  const std::string bounds = model == "metric" ? "" : "x = { min = 0, max = 1000 }\ny = { min = -5, max = 1000 }\n";
  std::string of_wide;
  if (model != "metric") {
    for (int i = 0; i < wide_columns; ++i) of_wide += fmt::format("c{} = {{ min = 0, max = 9 }}\n", i);
  }
  const std::string text =
      "[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 40.0\ndelta = 1e-4\n[budget.analysts]\nana = { epsilon = 20.0, "
      "delta = 1e-5 }\n[defaults]\ndelta = 1e-9\n[tables.item]\nprimary_key = [\"id\"]\n" +
      model_of(model, "x, y, bounded, small, tiny, r, cost, day, discrete(name)", "\"id\", \"partner\", \"kind_id\"") +
      "[tables.item.columns]\n" + bounds +
      "kind_id = { min = 1, max = 2000 }\nbounded = { min = 1, max = 2 }\nsmall = { min = 0.5, max = 1.25 }\ntiny = { "
      "min "
      "= 0.5, max = 1.5 }\nr = { min = 0, max = 9" +
      std::string(model == "metric" ? ", precision = 4" : "") +
      " }\ncost = { min = 0, max = 9999 }\nday = { min = "
      "2020-01-01, max = 2024-12-31 }\nname = { values = [" +
      values + "] }\n[tables.wide]\nprimary_key = [\"id\"]\n" + model_of(model, listed(wide_columns, "c"), "\"id\"") +
      (of_wide.empty() ? "" : "[tables.wide.columns]\n" + of_wide) +
      "[tables.kind]\npublic = true\nprimary_key = [\"id\"]\n";
  auto policy = parse_policy(text, "growth.toml");
  if (!policy) throw std::runtime_error(to_line(policy.error()));
  auto checked = check_against_catalog(std::move(*policy), catalog);
  if (!checked) throw std::runtime_error(to_line(checked.error()));
  return std::make_unique<const Policy>(std::move(*checked));
}

}  // namespace tacit::testing
