#include "support/postgres_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tacit::testing {
namespace {

constexpr int oldest_version = 14;
constexpr int newest_version = 18;

// In the folder that TACIT_POSTGRES_BIN names, to try another version; where Debian puts the server's programs; else in
// the path.
std::string program(const std::string& name) {
  if (const char* folder = std::getenv("TACIT_POSTGRES_BIN")) return std::string(folder) + "/" + name;
  for (int version = newest_version; version >= oldest_version; --version) {
    const std::string path = "/usr/lib/postgresql/" + std::to_string(version) + "/bin/" + name;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return name;
}

// Starts a program as a user that PostgreSQL accepts, with its output in `log`. It ends with this one.
pid_t spawn(const std::vector<std::string>& words, const std::string& log) {
  const passwd* postgres = geteuid() == 0 ? getpwnam("postgres") : nullptr;
  if (geteuid() == 0 && postgres == nullptr) throw std::runtime_error("no user postgres: install postgresql-15");
  const uid_t user = postgres != nullptr ? postgres->pw_uid : geteuid();
  const gid_t group = postgres != nullptr ? postgres->pw_gid : getegid();
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
  setsid();
  if (geteuid() == 0 && (setgid(group) != 0 || setuid(user) != 0)) _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGINT);
  if (getppid() != parent) _exit(125);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int unused_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(listener);
  if (!bound) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

using Connection = std::unique_ptr<PGconn, void (*)(PGconn*)>;
using Answer = std::unique_ptr<PGresult, void (*)(PGresult*)>;

Answer execute(const std::string& url, const std::string& sql) {
  const Connection connection(PQconnectdb(url.c_str()), PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection.get()));
  Answer answer(PQexec(connection.get(), sql.c_str()), PQclear);
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    throw std::runtime_error(PQerrorMessage(connection.get()) + sql);
  }
  return answer;
}

}  // namespace

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tacit-pg-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
  if (geteuid() == 0) {
    const passwd* postgres = getpwnam("postgres");
    if (postgres != nullptr && chown(pattern.c_str(), postgres->pw_uid, postgres->pw_gid) != 0) {
      throw std::runtime_error("chown");
    }
  }
  chmod(pattern.c_str(), 0755);
  const std::string data = (folder_ / "data").string();
  const std::string log = (folder_ / "log").string();
  const std::vector<std::string> words = {program("initdb"), "-D", data,   "-U",        "postgres",        "-A",
                                          "trust",           "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"};
  std::vector<std::string> with_icu = words;
  with_icu.insert(with_icu.end(), {"--locale-provider=icu", "--icu-locale=en-US"});
  // PostgreSQL 14 has no ICU for a whole database.
  if (wait_for(spawn(with_icu, log)) != 0 && wait_for(spawn(words, log)) != 0) {
    throw std::runtime_error("initdb failed: " + contents(log));
  }
  std::ofstream(data + "/pg_hba.conf") << "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
  port_ = unused_port();
  std::ofstream(data + "/postgresql.conf", std::ios::app)
      << "unix_socket_directories = '" << folder_.string() << "'\nlisten_addresses = '127.0.0.1'\nport = " << port_
      << "\nfsync = off\nfull_page_writes = off\nautovacuum = off\nmax_connections = 50\n";
  start();
}

PostgresServer::~PostgresServer() {
  stop(SIGINT);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

int PostgresServer::major_version() const { return std::stoi(contents(folder_ / "data" / "PG_VERSION")); }

std::string PostgresServer::url(const std::string& database) const {
  return "postgresql:///" + database + "?host=" + folder_.string() + "&port=" + std::to_string(port_) +
         "&user=postgres";
}

std::string PostgresServer::tcp_url(const std::string& user, const std::string& database,
                                    const std::string& parameters) const {
  return "postgresql://" + user + "@127.0.0.1:" + std::to_string(port_) + "/" + database +
         (parameters.empty() ? "" : "?" + parameters);
}

std::string PostgresServer::create_database(const std::string& prefix) {
  const std::string name = prefix + std::to_string(++databases_);
  run("postgres", {"CREATE DATABASE " + name});
  return name;
}

void PostgresServer::run(const std::string& database, const std::vector<std::string>& statements) const {
  for (const std::string& sql : statements) execute(url(database), sql);
}

std::vector<std::vector<std::optional<std::string>>> PostgresServer::rows(const std::string& database,
                                                                          const std::string& sql) const {
  const Answer answer = execute(url(database), sql);
  std::vector<std::vector<std::optional<std::string>>> rows;
  for (int row = 0; row < PQntuples(answer.get()); ++row) {
    auto& cells = rows.emplace_back();
    for (int column = 0; column < PQnfields(answer.get()); ++column) {
      cells.push_back(PQgetisnull(answer.get(), row, column) ? std::optional<std::string>()
                                                             : PQgetvalue(answer.get(), row, column));
    }
  }
  return rows;
}

void PostgresServer::configure(const std::vector<std::string>& lines) {
  {
    std::ofstream file(folder_ / "data" / "postgresql.conf", std::ios::app);
    for (const std::string& line : lines) file << line << '\n';
  }
  stop(SIGINT);
  start();
}

void PostgresServer::start() {
  if (is_running()) return;
  server_ = spawn({program("postgres"), "-D", (folder_ / "data").string()}, (folder_ / "log").string());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < deadline) {
    if (PQping(url().c_str()) == PQPING_OK) return;
    if (waitpid(server_, nullptr, WNOHANG) == server_) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw std::runtime_error("the server does not start: " + contents(folder_ / "log"));
}

void PostgresServer::stop(int signal) {
  if (!is_running()) return;
  if (signal == SIGKILL) {
    kill(-server_, SIGKILL);  // its own session: the whole group
  } else {
    kill(server_, signal);
  }
  wait_for(server_);
  server_ = -1;
  if (signal == SIGKILL) {
    std::error_code ignored;
    std::filesystem::remove(folder_ / "data" / "postmaster.pid", ignored);
  }
}

}  // namespace tacit::testing
