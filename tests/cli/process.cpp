#include "cli/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace tacit::cli {
namespace {

constexpr auto longest_run = std::chrono::seconds(60);

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
};

[[noreturn]] void execute(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program.empty() ? TACIT_BINARY : program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

// A file without a name that holds the text, so that no writer has to be kept alive.
int input_of(const std::string& text) {
  char path[] = "/tmp/tacit-cli-input-XXXXXX";
  const int file = ::mkostemp(path, O_CLOEXEC);
  if (file < 0) throw std::runtime_error("mkostemp");
  ::unlink(path);
  if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw std::runtime_error("write");
  ::lseek(file, 0, SEEK_SET);
  return file;
}

// Appends what is there; false at the end. A terminal whose other side is gone reports EIO.
bool read_some(int descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const StartOptions& options) {
  const int input = input_of(options.input);
  const Pipe out;
  const Pipe err;
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    ::dup2(input, STDIN_FILENO);
    ::dup2(options.output >= 0 ? options.output : out.write_end, STDOUT_FILENO);
    ::dup2(err.write_end, STDERR_FILENO);
    if (options.close_output) ::close(STDOUT_FILENO);
    execute(options.program, arguments);
  }
  ::close(input);
  ::close(out.write_end);
  ::close(err.write_end);
  out_ = out.read_end;
  err_ = err.read_end;
  if (options.leave_output) ::close(std::exchange(out_, -1));
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), out_(std::exchange(other.out_, -1)), err_(std::exchange(other.err_, -1)) {}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    wait_for(pid_);
  }
  if (out_ >= 0) ::close(out_);
  if (err_ >= 0) ::close(err_);
}

void Process::signal(int number) const { ::kill(pid_, number); }

Finished Process::wait() {
  Finished finished;
  const auto deadline = std::chrono::steady_clock::now() + longest_run;
  while (out_ >= 0 || err_ >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      ::kill(pid_, SIGKILL);
      break;
    }
    pollfd both[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    if (::poll(both, 2, static_cast<int>(left.count())) <= 0) continue;
    if (both[0].revents != 0 && !read_some(out_, finished.out)) ::close(std::exchange(out_, -1));
    if (both[1].revents != 0 && !read_some(err_, finished.err)) ::close(std::exchange(err_, -1));
  }
  finished.exit_code = wait_for(std::exchange(pid_, -1));
  return finished;
}

Finished tacit(const std::vector<std::string>& arguments, const StartOptions& options) {
  return Process(arguments, options).wait();
}

Finished tacit_on_a_terminal(const std::vector<std::string>& arguments) {
  Finished finished;
  int terminal = -1;
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid < 0) throw std::runtime_error("forkpty");
  if (pid == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    execute("", arguments);
  }
  while (read_some(terminal, finished.err)) continue;
  finished.exit_code = wait_for(pid);
  ::close(terminal);
  return finished;
}

}  // namespace tacit::cli
