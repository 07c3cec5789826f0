#pragma once

#include <string>

namespace tacit {

// Which process this is, among all that ever ran on this machine: boot, process namespace, number and start time.
// Numbers are used again, the four together are not. Empty where the system does not tell.
std::string this_process();

// Whether the process with that mark still runs. False where that cannot be known: of another namespace, of another
// boot or machine, an empty mark.
bool still_runs(const std::string& mark);

}  // namespace tacit
