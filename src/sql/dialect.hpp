#pragma once

namespace tacit {

// The SQL an engine speaks.
enum class Dialect { duckdb, postgres };

}  // namespace tacit
