#include "base/work_limit.hpp"

namespace tacit {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of this thread
constinit thread_local std::uint64_t used_by_last = 0;

}  // namespace

namespace work_limit_detail {

void exceed() {
  left = 0;
  throw TooMuchWork();
}

}  // namespace work_limit_detail

WorkLimit::WorkLimit(std::uint64_t most) : outer_left_(work_limit_detail::left), most_(most) {
  work_limit_detail::left = most;
}

WorkLimit::~WorkLimit() {
  used_by_last = used();
  work_limit_detail::left = outer_left_;
}

std::uint64_t WorkLimit::used() const { return most_ - work_limit_detail::left; }

std::uint64_t WorkLimit::last_used() { return used_by_last; }

}  // namespace tacit
