#include "sql/functions/calendar_argument.hpp"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"

namespace tacit {

Result<const CalendarField*> field_argument(const Expr& field, std::string_view what,
                                            bool (*takes)(const CalendarField& field), int position) {
  const auto* text = is_literal(field) ? std::get_if<std::string>(&literal_value(field)) : nullptr;
  if (text == nullptr) return refuse(fmt::format("{} needs a literal field", what), "write 'month'", position);
  std::string name = *text;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const CalendarField* found = find_calendar_field(name); found != nullptr && takes(*found)) return found;
  std::vector<std::string> names;
  for (const CalendarField& known : calendar_fields()) {
    if (takes(known)) names.emplace_back(known.name);
  }
  return refuse(fmt::format("{} does not know the field `{}`{}", what, name, did_you_mean(name, names)),
                fmt::format("use one of {}", fmt::join(names, ", ")), position);
}

Result<ExprPtr> moment_argument(ExprPtr moment, std::string_view what, int position) {
  if (moment->type.kind != TypeKind::date && moment->type.kind != TypeKind::timestamp) {
    return refuse_types(what, std::vector<ExprPtr>{moment}, "use a date or timestamp, such as DATE '2020-01-31'",
                        position);
  }
  return moment;
}

const CalendarField& field_of(const Expr& literal) {
  const CalendarField* field = find_calendar_field(std::get<std::string>(literal_value(literal)));
  TACIT_CHECK(field != nullptr, "a bound call names a known field");
  return *field;
}

}  // namespace tacit
