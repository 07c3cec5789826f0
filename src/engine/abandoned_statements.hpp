#pragma once

namespace tacit {

// Whether a thread of this process is inside the embedded engine with a statement that nobody waits for any more. Such
// a process must end by std::_Exit: the thread would meet the destructors of static objects.
bool has_abandoned_statements();

}  // namespace tacit
