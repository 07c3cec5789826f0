#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace tacit {

// A directory only this user can enter, for what the engine spills to disk (private data, not encrypted). It lives as
// long as the object. One left behind by a killed process is removed by the next process that makes one: each is held
// by an advisory lock on the directory itself, which dies with its process.
class PrivateDirectory {
 public:
  // Under the system's directory for temporary files (TMPDIR).
  static Result<PrivateDirectory> make();

  PrivateDirectory(PrivateDirectory&& other) noexcept;
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  ~PrivateDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  PrivateDirectory(std::filesystem::path path, int lock);
  std::filesystem::path path_;
  int lock_;  // the open directory; -1 when moved from
};

}  // namespace tacit
