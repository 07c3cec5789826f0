#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

namespace tacit {

// A new DuckDB file being filled. After a failure every further call does nothing; `finish` reports the first.
class SampleWriter {
 public:
  explicit SampleWriter(const std::string& path);
  ~SampleWriter();
  SampleWriter(const SampleWriter&) = delete;
  SampleWriter& operator=(const SampleWriter&) = delete;

  void execute(const std::string& sql);
  // Rows of a table made before.
  void fill(const std::string& table, const std::vector<std::vector<Value>>& rows);
  // Writes everything out and closes the file.
  Status finish();

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  bool failed_ = false;
};

// A whole number, and one with two digits after the point, as values.
inline Value whole(long long number) { return Decimal{number, 0}; }
inline Value cents(long long number) { return Decimal{number, 2}; }

}  // namespace tacit
