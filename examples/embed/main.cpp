// Tacit inside another program: opens a policy once, asks every question in a thread and a session of its own, and
// prints the noisy answers and what they cost.
//   embed POLICY.toml "SELECT count(*) FROM visit" ...

#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include "tacit/database.hpp"

namespace {

using tacit::api::Answer;
using tacit::api::Database;
using tacit::api::Outcome;

Outcome<Answer> ask(Database& database, const char* sql) {
  auto session = database.connect();
  if (!session) return session.error();
  return session->query(sql);
}

void print(const Answer& answer) {
  for (const auto& row : answer.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::printf("%s = %s", answer.columns[i].name.c_str(), row[i].is_null ? "NULL" : row[i].text.c_str());
      if (row[i].interval95)
        std::printf(" (95%%: %s to %s)", row[i].interval95->lo.c_str(), row[i].interval95->hi.c_str());
      std::printf("\n");
    }
  }
  std::printf("cost epsilon %g, left %g\n", answer.spent.epsilon, answer.remaining.epsilon);
}

int fail(const tacit::api::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what.c_str());
  return static_cast<int>(error.code);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: embed POLICY SQL...\n");
    return 2;
  }
  auto database = Database::open(argv[1]);
  if (!database) return fail(database.error());

  const std::vector<const char*> questions(argv + 2, argv + argc);
  std::vector<std::optional<Outcome<Answer>>> answers(questions.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < questions.size(); ++i)
    threads.emplace_back([&, i] { answers[i] = ask(*database, questions[i]); });
  for (auto& thread : threads) thread.join();

  int exit_code = 0;
  for (const auto& answer : answers) {
    if (*answer)
      print(**answer);
    else
      exit_code = fail(answer->error());
  }
  return exit_code;
}
