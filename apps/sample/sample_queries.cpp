#include "base/check.hpp"
#include "examples.hpp"
#include "sample.hpp"

namespace tacit {

std::vector<SampleQuery> sample_queries() {
  constexpr std::string_view folder = "queries/";
  constexpr std::string_view ending = ".sql";
  std::vector<SampleQuery> queries;
  for (const ExampleFile& file : example_files()) {
    if (!file.name.starts_with(folder)) continue;
    TACIT_CHECK(file.name.ends_with(ending) && file.text.starts_with("-- "), "an example query begins with its title");
    const std::string_view name = file.name.substr(folder.size(), file.name.size() - folder.size() - ending.size());
    const auto end_of_title = file.text.find('\n');
    queries.push_back({std::string(name), std::string(file.text.substr(3, end_of_title - 3)),
                       std::string(file.text.substr(end_of_title + 1))});
  }
  return queries;
}

}  // namespace tacit
