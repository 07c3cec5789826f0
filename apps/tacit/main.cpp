#include <cstdio>
#include <cstdlib>
#include <new>
#include <variant>

#include "answer/print_answer.hpp"
#include "base/check.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "engine/end_of_process.hpp"
#include "streams.hpp"

namespace tacit {

Status run(const ShowTextCommand& command, Interruption&) { return write_output(command.text); }

namespace {

Status run_command_line(int argc, const char* const* argv, Format format) {
  TACIT_TRY_STATUS(prepare_streams());
  TACIT_TRY(const Command command, read_command_line(argc, argv));
  Interruption interruption(format);
  return std::visit([&](const auto& chosen) { return run(chosen, interruption); }, command);
}

Failure bug(std::string what) {
  return {FailureCode::bug, std::move(what), "",
          "this is a bug of Tacit: please report it with the command and the version; what was charged stays charged"};
}

// An exception's own text may quote data, except that of a broken invariant.
Status run_guarded(int argc, const char* const* argv, Format format) {
  try {
    return run_command_line(argc, argv, format);
  } catch (const InvariantBroken& broken) {
    return fail(bug(broken.what()));
  } catch (const std::bad_alloc&) {
    return fail(bug("out of memory"));
  } catch (...) {
    return fail(bug("an unexpected failure"));
  }
}

int run_program(int argc, const char* const* argv) {
  const Format format = failure_format(argc, argv);
  const Status status = run_guarded(argc, argv, format);
  if (status) return 0;
  write_message(print_failure(status.error(), format));
  return static_cast<int>(status.error().code);
}

}  // namespace
}  // namespace tacit

// Not under the sanitizers: they look for leaks at the end of main().
#if defined(__SANITIZE_ADDRESS__)
constexpr bool leaves_at_once = false;
#elif defined(__has_feature)
constexpr bool leaves_at_once = !__has_feature(address_sanitizer);
#else
constexpr bool leaves_at_once = true;
#endif

int main(int argc, char** argv) {
  if (leaves_at_once) tacit::leave_engines_open();
  const int exit_code = tacit::run_program(argc, argv);
  if (!leaves_at_once && !tacit::has_abandoned_statements()) return exit_code;
  std::fflush(nullptr);
  std::_Exit(exit_code);
}
