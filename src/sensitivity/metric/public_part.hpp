#pragma once

#include "base/result.hpp"
#include "sensitivity/metric/derivative/cell.hpp"

namespace tacit {

// The strongest public condition that follows from `predicate` whatever the private cells hold: private comparisons are
// taken as true, or as false under NOT. Null: nothing follows. A row on which it is not true is one on which
// `predicate` is not true, so leaving such rows out changes no sum.
Result<ExprPtr> public_part(const ExprPtr& predicate, const PrivateColumns& columns);

}  // namespace tacit
