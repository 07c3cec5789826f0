#pragma once

#include <span>
#include <string_view>

namespace tacit {

// The files of examples/, built into the program (CMakeLists.txt writes the source from them).
struct ExampleFile {
  std::string_view name;  // "sample.toml", "queries/visits-by-ward.sql"
  std::string_view text;
};
std::span<const ExampleFile> example_files();

}  // namespace tacit
