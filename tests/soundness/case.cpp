#include "soundness/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit::soundness {

std::string to_text(const Script& script) {
  return fmt::format(
      "{}\n{}\n\n-- policy\n{}\n-- tables: x, then x'\n{};\n\n-- question\n{};\n\n-- engine statement\n{};\n",
      script.wrong, script.about, script.policy, fmt::join(script.tables, ";\n"), script.question, script.statement);
}

}  // namespace tacit::soundness
