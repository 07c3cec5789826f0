#include "policy/against_catalog/fit_columns.hpp"

#include <fmt/format.h>

#include "policy/fit_value.hpp"
#include "policy/read/column_facts.hpp"

namespace tacit {
namespace {

class ColumnFit {
 public:
  ColumnFit(const ColumnPolicy& column, const CatalogColumn& in_engine, const Policy& policy, Complaints& complaints)
      : place_(column.place), in_engine_(in_engine), policy_(policy), complaints_(complaints) {}

  void bound(std::optional<Value>& value, const char* key) {
    if (!value || !allows_bounds(key)) return;
    auto fitted = fit_value(*value, *in_engine_.type);
    if (fitted)
      value = std::move(*fitted);
    else
      does_not_fit(key, fitted.error(), *value);
  }

  void step(std::optional<Decimal>& step) {
    if (!step || !allows_bounds("step")) return;
    const auto fitted = fit_step(*step, *in_engine_.type);
    if (fitted)
      step = *fitted;
    else
      does_not_fit("step", fitted.error(), Value{*step});
  }

  void values(std::vector<Value>& values) {
    for (auto& value : values) {
      auto fitted = fit_value(value, *in_engine_.type);
      if (!fitted) return does_not_fit("values", fitted.error(), value);
      value = std::move(*fitted);
    }
  }

  void complain(const std::string& key, const std::string& what, std::string hint) {
    const PolicyPlace place = policy_.place_of(key.empty() ? place_.key : place_.key + '.' + key);
    complaints_.add({place.line, 0}, place.key, what, std::move(hint));
  }

 private:
  bool allows_bounds(const char* key) {
    const SqlType& type = *in_engine_.type;
    if (is_measurable(type)) return true;
    complain(key, fmt::format("the column is of type {}, which has no bounds or steps", to_string(type)),
             "declare its possible values instead: values = [...]");
    return false;
  }

  void does_not_fit(const char* key, const Failure& failure, const Value& value) {
    complain(key, fmt::format("{}, found {}", failure.what, shown(to_string(value))),
             fmt::format("write it in the column's type, {}", to_string(*in_engine_.type)));
  }

  PolicyPlace place_;
  const CatalogColumn& in_engine_;
  const Policy& policy_;
  Complaints& complaints_;
};

}  // namespace

void fit_column(ColumnPolicy& column, const CatalogColumn& in_engine, const Policy& policy, Complaints& complaints) {
  ColumnFit fit(column, in_engine, policy, complaints);
  if (column.type && column.type != in_engine.type) {
    return fit.complain("type", fmt::format("the column is of type {} in the engine", in_engine.engine_type),
                        "take it out; only a numeric column without digits of its own needs it");
  }
  const bool says_something = column.min || column.max || column.step || !column.values.empty();
  if (!says_something) return;
  if (!in_engine.type && in_engine.needs_declared_digits) {
    return fit.complain(
        "", fmt::format("the column's type ({}) does not say how many digits it has", in_engine.engine_type),
        "declare them too: type = \"decimal(12,2)\"");
  }
  if (!in_engine.type) {
    return fit.complain("", fmt::format("Tacit does not compute with the column's type ({})", in_engine.engine_type),
                        "take the declaration out: no query can use this column");
  }
  fit.bound(column.min, "min");
  fit.bound(column.max, "max");
  fit.step(column.step);
  fit.values(column.values);
  if (!complaints.empty()) return;
  if (const auto conflict = find_conflict(column)) fit.complain(conflict->key, conflict->what, conflict->hint);
}

}  // namespace tacit
