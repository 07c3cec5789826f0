#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/join_shape.hpp"

namespace tacit::testing {

using Names = std::vector<std::string>;

inline void depend(TablePolicy& table, Names from, Names to, long long limit) {
  Dependency& dependency = table.dependencies.emplace_back();
  dependency.from = std::move(from);
  dependency.to = std::move(to);
  dependency.limit = limit;
}

// Tables with columns a, b, ... and roles over them.
class Shapes {
 public:
  TablePolicy& table(const std::string& name, int columns) {
    auto& entry = tables_[name];
    entry.policy = std::make_unique<TablePolicy>();
    for (int i = 0; i < columns; ++i) entry.columns.emplace_back(1, static_cast<char>('a' + i));
    return *entry.policy;
  }

  void unique(const std::string& name, Names key) { tables_.at(name).unique.push_back(std::move(key)); }

  std::size_t role(const std::string& name, bool optional = false) {
    const auto& entry = tables_.at(name);
    auto relation = std::make_shared<Relation>();
    relation->node = Scan{entry.policy.get(), "main", name, entry.unique};
    for (const auto& column : entry.columns)
      relation->columns.push_back(
          std::make_shared<Column>(Column{column, SqlType::integer(64), false, {}, {}, {}, ""}));
    scans_.push_back(relation);
    shape.roles.push_back({relation.get(), optional});
    return shape.roles.size() - 1;
  }

  const Column* column(std::size_t role, char name) const {
    return scans_[role]->columns[static_cast<std::size_t>(name - 'a')].get();
  }

  void equal(std::size_t left, char left_name, std::size_t right, char right_name) {
    shape.equal.emplace_back(column(left, left_name), column(right, right_name));
  }

  long long rows(std::size_t role) const { return join_rows_per_row(shape, role).value_or(-1); }

  JoinShape shape;

 private:
  struct Table {
    std::unique_ptr<TablePolicy> policy;
    Names columns;
    std::vector<Names> unique;
  };
  std::map<std::string, Table> tables_;
  std::vector<RelationPtr> scans_;
};

}  // namespace tacit::testing
