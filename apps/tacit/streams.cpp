#include "streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace tacit {
namespace {

// 0 or the reason of the failure.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

Status prepare_streams() {
  ::signal(SIGPIPE, SIG_IGN);
  bool output_is_closed = false;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    output_is_closed = output_is_closed || descriptor == STDOUT_FILENO;
    // The lowest free descriptor is this one: those below it are taken by now.
    if (::open("/dev/null", O_RDWR) != descriptor)
      return fail({FailureCode::usage, "the standard streams are closed", "", "run tacit with them open"});
  }
  if (output_is_closed)
    return fail({FailureCode::usage, "standard output is closed: an answer would be paid for and lost", "",
                 "run tacit with standard output open"});
  return {};
}

Status write_output(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return {};
  return fail({FailureCode::usage,
               fmt::format("the output cannot be written ({})", std::generic_category().message(error)),
               "standard output", "what the question cost stays charged; free some space or write elsewhere"});
}

void write_message(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

bool messages_reach_a_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace tacit
