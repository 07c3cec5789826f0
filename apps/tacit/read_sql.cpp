#include "read_sql.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tacit {
namespace {

// Far beyond what the parser accepts; keeps an endless file from filling the memory.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

tl::unexpected<Failure> unreadable(std::string what, const std::string& where) {
  return fail({FailureCode::usage, std::move(what), where,
               "give the SQL as one quoted argument, or -f FILE, or - for standard input"});
}

Result<std::string> read_all(int descriptor, const std::string& where) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return unreadable(fmt::format("the SQL cannot be read ({})", std::generic_category().message(errno)), where);
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > most_bytes) return unreadable("the SQL is longer than 64 MB", where);
  }
}

Result<std::string> read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return unreadable(fmt::format("the SQL file cannot be opened ({})", std::generic_category().message(errno)), path);
  auto text = read_all(descriptor, path);
  ::close(descriptor);
  return text;
}

}  // namespace

Result<std::string> read_sql(const AskOptions& ask) {
  const bool from_input = ask.sql == "-";
  const std::string where = ask.sql_file ? *ask.sql_file : from_input ? "standard input" : "command line";
  auto text = ask.sql_file ? read_file(*ask.sql_file)
              : from_input ? read_all(STDIN_FILENO, where)
                           : Result<std::string>(*ask.sql);
  if (text && text->find_first_not_of(" \t\r\n") == std::string::npos) return unreadable("the SQL is empty", where);
  return text;
}

}  // namespace tacit
