#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tacit::testing {

// A real PostgreSQL server of a test program's own: a fresh cluster in a folder of its own, listening on a socket in
// that folder and on 127.0.0.1. Its text is UTF-8 and sorted as people sort (ICU), not by bytes, so that a test sees
// where Tacit would depend on the collation. Stopped with the program, even one that is killed; `initdb` refuses root,
// so root runs it as the system's user postgres.
class PostgresServer {
 public:
  // Starts one on first use and stops it when the program ends. Throws std::runtime_error when there is no PostgreSQL.
  static PostgresServer& shared();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  const std::filesystem::path& folder() const { return folder_; }  // everybody may enter it
  int port() const { return port_; }
  int major_version() const;

  // Through the socket, as the superuser postgres, without a password.
  std::string url(const std::string& database = "postgres") const;
  // Through 127.0.0.1, where a password is asked for. `parameters`: "sslmode=verify-full&sslrootcert=..."
  std::string tcp_url(const std::string& user, const std::string& database = "postgres",
                      const std::string& parameters = "sslmode=disable") const;

  // A new empty database; its name is unique in this server.
  std::string create_database(const std::string& prefix = "d");

  // Each statement as the superuser, alone in its transaction. Throws std::runtime_error with the server's words.
  void run(const std::string& database, const std::vector<std::string>& statements) const;
  // Every cell as text, NULL empty.
  std::vector<std::vector<std::optional<std::string>>> rows(const std::string& database, const std::string& sql) const;

  // A line of postgresql.conf, then a restart.
  void configure(const std::vector<std::string>& lines);
  void stop(
      int signal);  // SIGTERM waits for clients, SIGINT ends them, SIGQUIT is a crash, SIGKILL kills every process
  void start();
  bool is_running() const { return server_ > 0; }

 private:
  std::filesystem::path folder_;
  int port_ = 0;
  pid_t server_ = -1;
  int databases_ = 0;
};

}  // namespace tacit::testing
