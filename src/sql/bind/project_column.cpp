#include "sql/bind/project_column.hpp"

namespace tacit {

ColumnPtr project_column(const ExprPtr& expression, const std::string& name) {
  Column column;
  if (const auto* reference = std::get_if<ColumnRef>(&expression->node)) {
    column = *reference->column;
  } else {
    column.type = expression->type;
    column.is_private = expression->is_private;
    column.proved = expression->range;
  }
  column.name = name;
  return std::make_shared<Column>(std::move(column));
}

}  // namespace tacit
