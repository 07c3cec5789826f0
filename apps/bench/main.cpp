#include <cstdio>
#include <exception>

#include "bench/bench_command.hpp"

namespace {

int run(int argc, const char* const* argv) {
  const auto text = tacit::run_bench_command(argc, argv);
  if (!text) {
    std::fputs((tacit::to_line(text.error()) + "\n").c_str(), stderr);
    return static_cast<int>(text.error().code);
  }
  std::fputs(text->c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& broken) {
    std::fputs((std::string("error: ") + broken.what() + "\n").c_str(), stderr);
    return static_cast<int>(tacit::FailureCode::bug);
  }
}
