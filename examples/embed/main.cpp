// Tacit inside another program: opens a policy, asks one question, prints the noisy answer and what it cost.
//   embed POLICY.toml "SELECT count(*) FROM visit"

#include <cstdio>

#include "tacit/session.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: embed POLICY SQL\n");
    return 2;
  }
  auto session = tacit::api::Session::open(argv[1]);
  if (!session) {
    std::fprintf(stderr, "error: %s\n", session.error().what.c_str());
    return static_cast<int>(session.error().code);
  }
  const auto answer = session->query(argv[2]);
  if (!answer) {
    std::fprintf(stderr, "error: %s\n", answer.error().what.c_str());
    return static_cast<int>(answer.error().code);
  }
  for (const auto& row : answer->rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::printf("%s = %s", answer->columns[i].name.c_str(), row[i].is_null ? "NULL" : row[i].text.c_str());
      if (row[i].interval95)
        std::printf(" (95%%: %s to %s)", row[i].interval95->lo.c_str(), row[i].interval95->hi.c_str());
      std::printf("\n");
    }
  }
  std::printf("cost epsilon %g, left %g\n", answer->spent.epsilon, answer->remaining.epsilon);
  return 0;
}
