#include "budget/process_mark.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <optional>
#include <vector>

namespace tacit {
namespace {

struct ProcessState {
  char state = '?';
  std::string started;  // in clock ticks since the boot
};

// /proc/N/stat: number (name) state ..., the start time in field 22. The name may hold anything, brackets too.
std::optional<ProcessState> state_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string line;
  if (!std::getline(file, line, '\0') || line.empty()) return std::nullopt;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return std::nullopt;
  std::vector<std::string> fields;
  std::string_view rest = std::string_view(line).substr(name_end + 2);
  while (!rest.empty() && fields.size() < 20) {
    const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    fields.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  constexpr std::size_t state_field = 3 - 3;
  constexpr std::size_t start_field = 22 - 3;
  if (fields.size() <= start_field || fields[state_field].size() != 1) return std::nullopt;
  return ProcessState{fields[state_field][0], fields[start_field]};
}

// Where the numbers of processes mean something: this boot, this namespace.
std::optional<std::string> numbering() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  if (!(file >> boot)) return std::nullopt;
  std::array<char, 64> space{};
  const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size());
  if (length <= 0) return std::nullopt;
  return fmt::format("{} {}", boot, std::string_view(space.data(), static_cast<std::size_t>(length)));
}

}  // namespace

std::string this_process() {
  const std::string number = fmt::to_string(::getpid());
  const auto space = numbering();
  const auto state = state_of(number);
  if (!space || !state) return "";
  return fmt::format("{} {} {}", *space, number, state->started);
}

bool still_runs(const std::string& mark) {
  const auto space = numbering();
  if (!space || !mark.starts_with(*space + " ")) return false;
  const std::string rest = mark.substr(space->size() + 1);
  const std::size_t blank = rest.find(' ');
  if (blank == std::string::npos) return false;
  const auto state = state_of(rest.substr(0, blank));
  const bool is_dead = !state || state->state == 'Z' || state->state == 'X';
  return !is_dead && state->started == rest.substr(blank + 1);
}

}  // namespace tacit
