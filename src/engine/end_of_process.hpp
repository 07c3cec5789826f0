#pragma once

namespace tacit {

// Whether a thread of this process is inside the embedded engine with a statement that nobody waits for any more. Such
// a process must end by std::_Exit: the thread would meet the destructors of static objects.
bool has_abandoned_statements();

// For a program of one command. DuckDB's closing frees every function of its catalog one by one and waits for each of
// its threads, 4 to 5 ms; the end of the process does the same at once. From here on an embedded engine that nobody
// uses any more is left as it is. Nothing is lost: it only reads, and its folder for spilled data is removed as before.
// REQUIRES: the process ends by std::_Exit, soon after its last engine has gone out of use.
void leave_engines_open();

}  // namespace tacit
