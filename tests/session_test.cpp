// The public C++ API: the same answers, prices and failures as the command line, as values.

#include "tacit/session.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <vector>

#include "cli/world.hpp"
#include "tacit/database.hpp"

namespace tacit::api {
namespace {

class SessionTest : public ::testing::Test {
 protected:
  cli::World world_;
  const QueryOptions as_ana_{.analyst = "ana", .epsilon = std::nullopt, .delta = std::nullopt};
};

TEST_F(SessionTest, AnswersWithIntervalsAndPrice) {
  auto session = Session::open(world_.policy());
  ASSERT_TRUE(session) << session.error().what;
  const auto answer = session->query("SELECT ward, count(*) AS n FROM visit GROUP BY ward ORDER BY ward", as_ana_);
  ASSERT_TRUE(answer) << answer.error().what;
  ASSERT_EQ(answer->rows.size(), 2u);
  EXPECT_EQ(answer->columns[0].mechanism, "");
  EXPECT_EQ(answer->columns[1].name, "n");
  EXPECT_FALSE(answer->columns[1].mechanism.empty());
  EXPECT_EQ(answer->rows[0][0].text, "east");
  EXPECT_FALSE(answer->rows[0][0].interval95);
  ASSERT_TRUE(answer->rows[0][1].number);
  EXPECT_LT(std::fabs(*answer->rows[0][1].number - 1000.0), 300.0);
  EXPECT_TRUE(answer->rows[0][1].interval95);
  EXPECT_EQ(answer->spent.epsilon, 1.0);
  EXPECT_EQ(answer->remaining.epsilon, 2.0);
  EXPECT_NE(answer->text.find("95% interval"), std::string::npos);
  EXPECT_EQ(answer->json.front(), '{');
}

TEST_F(SessionTest, ExplainsWithoutSpending) {
  auto session = Session::open(world_.policy());
  ASSERT_TRUE(session) << session.error().what;
  const auto explanation = session->explain("SELECT count(*) AS n FROM visit", as_ana_);
  ASSERT_TRUE(explanation) << explanation.error().what;
  EXPECT_EQ(explanation->price.epsilon, 1.0);
  EXPECT_EQ(explanation->remaining.epsilon, 3.0);
  ASSERT_EQ(explanation->errors.size(), 1u);
  EXPECT_EQ(explanation->errors[0].sensitivity, 1.0);
  EXPECT_GT(explanation->errors[0].p95, explanation->errors[0].median);
}

TEST_F(SessionTest, FailuresAreValues) {
  const auto missing = Session::open(world_.path("none.toml"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::usage);

  auto session = Session::open(world_.policy());
  ASSERT_TRUE(session);
  const auto refused = session->query("SELECT count(*) FROM vist", as_ana_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::refused);
  EXPECT_EQ(refused.error().position, 22);
  const auto wrong = session->query("SELECT count(*) FROM visit", {.analyst = "ana", .epsilon = NAN, .delta = {}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::usage);
  const auto explain = session->query("EXPLAIN (PRIVACY) SELECT count(*) FROM visit", as_ana_);
  ASSERT_FALSE(explain);
  EXPECT_NE(explain.error().hint.find("explain"), std::string::npos);
}

TEST_F(SessionTest, TellsWhatThePolicySays) {
  auto session = Session::open(world_.policy());
  ASSERT_TRUE(session);
  const PolicySummary policy = session->policy();
  ASSERT_EQ(policy.tables.size(), 2u);
  EXPECT_EQ(policy.tables[0].model, "rows");
  ASSERT_EQ(policy.analysts.size(), 2u);
  EXPECT_EQ(policy.analysts[0].name, "ana");
  EXPECT_EQ(policy.analysts[0].allowance.epsilon, 3.0);
  EXPECT_EQ(policy.total_allowance.epsilon, 5.0);
  EXPECT_EQ(policy.default_price.epsilon, 1.0);
  EXPECT_EQ(policy.most_epsilon, 2.5);
}

TEST_F(SessionTest, AnotherThreadCancels) {
  auto session = Session::open(world_.policy());
  ASSERT_TRUE(session);
  std::atomic<bool> done = false;
  std::thread canceller([&] {
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      session->cancel();
    }
  });
  const auto answer = session->query("SELECT count(*) FROM slow WHERE x % 7 = 3", as_ana_);
  done = true;
  canceller.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::engine);
}

TEST_F(SessionTest, SeveralOfOneDatabaseAskAtOnce) {
  auto database = Database::open(world_.policy());
  ASSERT_TRUE(database) << database.error().what;
  EXPECT_EQ(database->policy().tables.size(), 2u);
  std::atomic<int> answered = 0;
  std::atomic<int> out_of_budget = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      auto session = database->connect();
      if (!session) return;
      for (int i = 0; i < 2; ++i) {
        const auto answer =
            session->query("SELECT count(*) FROM visit", {.analyst = "ana", .epsilon = 0.25, .delta = {}});
        ++(answer ? answered : out_of_budget);
        if (!answer && answer.error().code != ErrorCode::budget) out_of_budget = -100;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(answered, 12);
  EXPECT_EQ(out_of_budget, 4);
}

TEST_F(SessionTest, OutlivesItsDatabase) {
  std::optional<Session> session;
  {
    auto database = Database::open(world_.policy());
    ASSERT_TRUE(database) << database.error().what;
    auto made = database->connect();
    ASSERT_TRUE(made) << made.error().what;
    session.emplace(std::move(*made));
  }
  EXPECT_TRUE(session->query("SELECT count(*) FROM visit", as_ana_));
  const auto missing = Database::open(world_.path("none.toml"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::usage);
}

TEST_F(SessionTest, TheExampleProgramAsksSeveralAtOnce) {
  const std::string policy = world_.changed_policy("one.toml", "bo = { epsilon = 3.0, delta = 5e-7 }\n", "");
  const cli::Finished finished =
      cli::tacit({policy, "SELECT count(*) AS n FROM visit", "SELECT count(*) AS m FROM visit WHERE age < 50"},
                 {.program = TACIT_EMBED_EXAMPLE});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_LT(finished.out.find("n = "), finished.out.find("m = ")) << finished.out;
  EXPECT_NE(finished.out.find("m = "), std::string::npos) << finished.out;
}

TEST_F(SessionTest, TheExampleProgramAnswers) {
  const std::string policy = world_.changed_policy("one.toml", "bo = { epsilon = 3.0, delta = 5e-7 }\n", "");
  const cli::Finished finished =
      cli::tacit({policy, "SELECT count(*) AS n FROM visit"}, {.program = TACIT_EMBED_EXAMPLE});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_NE(finished.out.find("n = "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("cost epsilon 1, left 2"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace tacit::api
