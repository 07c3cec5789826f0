#pragma once

#include "base/result.hpp"
#include "command_line.hpp"
#include "interruption.hpp"

namespace tacit {

// One function a command, each in its own cmd_*.cpp. They write their answer to standard output.
Status run(const QueryCommand& command, Interruption& interruption);
Status run(const ExplainCommand& command, Interruption& interruption);
Status run(const PolicyCheckCommand& command, Interruption& interruption);
Status run(const PolicyInitCommand& command, Interruption& interruption);
Status run(const LedgerShowCommand& command, Interruption& interruption);
Status run(const LedgerGrantCommand& command, Interruption& interruption);
Status run(const LedgerAdoptCommand& command, Interruption& interruption);
Status run(const LedgerResetCommand& command, Interruption& interruption);
Status run(const DemoCommand& command, Interruption& interruption);
Status run(const ShowTextCommand& command, Interruption& interruption);

}  // namespace tacit
