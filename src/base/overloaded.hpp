#pragma once

namespace tacit {

// For std::visit: one function per alternative of a variant. An alternative without one does not compile.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace tacit
