#pragma once

#include "base/result.hpp"
#include "base/type.hpp"

struct PgQuery__TypeName;

namespace tacit {

// The type a cast names. Refuses types Tacit does not compute with, numeric without a precision, and lengths.
Result<SqlType> bind_type_name(const PgQuery__TypeName& name, int position);

bool is_interval(const PgQuery__TypeName& name);
// The single field of INTERVAL '3' DAY: "day", "month", ...; empty when none is written. Refuses DAY TO HOUR and
// seconds with a precision.
Result<std::string> interval_unit(const PgQuery__TypeName& name, int position);

}  // namespace tacit
