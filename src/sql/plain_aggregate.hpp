#pragma once

#include <string>

#include "base/result.hpp"
#include "sql/dialect.hpp"
#include "sql/relation.hpp"

namespace tacit {

// The aggregates of a Group: the engine computes them without noise, for what stands above. Each is total (no value of
// the data makes the engine fail) and does not depend on the order of the rows:
//   SUM of integers and decimals  the exact sum, moved to the nearest number of 18 digits
//   SUM of doubles                of whole multiples of a step that the range of the argument fixes (2^40 steps and a
//                                 sign hold it), added up exactly
//   AVG                           that sum divided by the number of its terms, as a double
//   MIN, MAX                      numbers, dates, timestamps, text by its bytes
//   COUNT, COUNT(DISTINCT)        as SQL

// Brings the argument of SUM or AVG, a number, to a type in which adding up cannot overflow. Refuses doubles without
// stated bounds, and decimals of more than 18 digits after the point.
Result<ExprPtr> summable(ExprPtr argument, const char* name, int position);

// What the Group produces for it: its type and what is proved of it.
ColumnPtr plain_aggregate_column(const Aggregate& aggregate, std::string name, bool is_private);

// `argument`: the aggregate's argument, for all but counts as ExpressionPrinter::operand prints it; empty for COUNT(*).
std::string print_plain_aggregate(const Aggregate& aggregate, const std::string& argument, const Dialect& dialect);

}  // namespace tacit
