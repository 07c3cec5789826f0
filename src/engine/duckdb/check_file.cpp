#include "engine/duckdb/check_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tacit {

Status check_file(const std::string& path, const std::string& thing, const std::string& named_at) {
  const auto failure = [&](std::string_view what, std::string hint) {
    return fail({FailureCode::engine, fmt::format("{} {}", thing, what), path, std::move(hint)});
  };
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return failure("does not exist or is out of reach", fmt::format("see {}", named_at));
  }
  if (S_ISDIR(status.st_mode)) return failure("is a directory, not a file", fmt::format("see {}", named_at));
  if (!S_ISREG(status.st_mode)) return failure("is not an ordinary file", fmt::format("see {}", named_at));
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure("may not be read by this user", "change its permissions, or run as its owner");
  close(fd);
  return {};
}

}  // namespace tacit
