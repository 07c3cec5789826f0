#include "base/type.hpp"

#include <fmt/format.h>

#include "base/check.hpp"

namespace tacit {

std::string to_string(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::unknown: return "unknown";
    case TypeKind::boolean: return "boolean";
    case TypeKind::integer:
      return type.bits <= 16 ? "smallint" : type.bits <= 32 ? "integer" : type.bits <= 64 ? "bigint" : "hugeint";
    case TypeKind::decimal: return fmt::format("decimal({},{})", type.precision, type.scale);
    case TypeKind::real: return "double";
    case TypeKind::text: return "text";
    case TypeKind::date: return "date";
    case TypeKind::timestamp: return "timestamp";
  }
  TACIT_CHECK(false, "every type has a name");
}

}  // namespace tacit
