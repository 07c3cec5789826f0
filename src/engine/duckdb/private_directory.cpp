#include "engine/duckdb/private_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_prefix = "tacit-engine-";

// The open directory, locked; -1 when another process holds it or it is not ours.
int lock_directory(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat status {};
  if (fstat(fd, &status) == 0 && status.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(name_prefix)) continue;
    const int lock = lock_directory(entry->path());
    if (lock < 0) continue;
    std::error_code ignored;  // another process may be removing the same one
    fs::remove_all(entry->path(), ignored);
    close(lock);
  }
}

// Whether `path` still is the directory `fd` has open: a process that swept between mkdtemp and the lock removed it.
bool is_still_there(const fs::path& path, int fd) {
  struct stat by_path {};
  struct stat by_fd {};
  return stat(path.c_str(), &by_path) == 0 && fstat(fd, &by_fd) == 0 && by_path.st_ino == by_fd.st_ino &&
         by_path.st_dev == by_fd.st_dev;
}

}  // namespace

Result<PrivateDirectory> PrivateDirectory::make() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const auto failure = [&] {
    return fail({FailureCode::engine, "the engine's directory for temporary files cannot be made", parent.string(),
                 "set TMPDIR to a directory you may write to"});
  };
  if (error) return failure();
  remove_abandoned(parent);
  constexpr int attempts = 16;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::string pattern = (parent / fmt::format("{}XXXXXX", name_prefix)).string();
    if (mkdtemp(pattern.data()) == nullptr) return failure();  // mode 0700
    const int lock = lock_directory(pattern);
    if (lock < 0) continue;
    if (is_still_there(pattern, lock)) return PrivateDirectory(pattern, lock);
    close(lock);
  }
  return failure();
}

PrivateDirectory::PrivateDirectory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

PrivateDirectory::PrivateDirectory(PrivateDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

PrivateDirectory::~PrivateDirectory() {
  if (lock_ < 0) return;
  std::error_code ignored;  // nothing more can be done; the next process tries again
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace tacit
