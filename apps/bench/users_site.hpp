#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "answer_query.hpp"
#include "bench/bench_connection.hpp"
#include "bench/suite.hpp"

namespace tacit {

// Where the users suite runs: TPC-H with enforced keys in one engine at one scale factor, and one opened policy for
// each kind of user.
struct UsersSite {
  std::string engine;
  double scale = 1.0;
  std::string schema;
  std::unique_ptr<BenchConnection> tables;     // for exact values
  std::map<std::string, Connection> policies;  // by the name of the policy's file
  // The same with what TPC-H's specification says of the columns (facts.toml): customer and supplier only.
  std::map<std::string, Connection> with_facts;
};

// `scratch` takes the policies and their ledgers.
Result<UsersSite> open_users_site(const UsersBenchOptions& options, const std::string& engine, double scale,
                                  const std::filesystem::path& scratch);

}  // namespace tacit
