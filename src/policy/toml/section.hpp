#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/toml/complaints.hpp"
#include "policy/toml/toml_tree.hpp"

namespace tacit {

// One TOML table while it is read. Every key the reader asks for is known; finish() complains about all others.
// The readers return nothing when the key is absent or wrong; a wrong one has been complained about.
class Section {
 public:
  Section(const TomlTable& table, TomlPlace place, std::string path, Complaints& complaints);

  const std::string& path() const { return path_; }
  TomlPlace place() const { return place_; }
  Complaints& complaints() const { return complaints_; }
  const std::vector<TomlEntry>& entries() const { return table_.entries; }
  std::string key(std::string_view name) const { return key_path(path_, name); }

  bool has(std::string_view name) const { return table_.find(name) != nullptr; }
  const TomlEntry* take(std::string_view name);
  std::optional<Section> take_section(std::string_view name);
  // One of entries(), in a section whose keys are names of the owner's choice.
  std::optional<Section> section_of(const TomlEntry& entry) const;
  std::optional<bool> take_flag(std::string_view name);
  std::optional<std::string> take_text(std::string_view name, std::string_view expectation);   // not empty
  std::optional<TomlNumber> take_number(std::string_view name, std::string_view expectation);  // finite
  std::optional<long long> take_whole(std::string_view name, long long least, long long most);
  // Not empty, no empty string among them.
  std::vector<std::string> take_texts(std::string_view name, std::string_view expectation);

  // Complaints about a key that is there, by its place.
  void complain(std::string_view name, const std::string& what, std::string hint) const;
  void expected(std::string_view name, std::string_view expectation, std::string_view found, std::string hint) const;
  // Complains that `name` is absent; an empty name stands for the section itself.
  void missing(std::string_view name, const std::string& what, std::string hint) const;

  // REQUIRES: every key of the section has been taken, present or not.
  void finish() const;

 private:
  TomlPlace end() const;

  const TomlTable& table_;
  TomlPlace place_;
  std::string path_;
  Complaints& complaints_;
  std::vector<std::string> known_;
};

}  // namespace tacit
