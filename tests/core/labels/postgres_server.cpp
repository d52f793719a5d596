// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/labels/postgres_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "core/labels/sql/open_connection.h"

namespace dubito::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

/// The folder of the newest initdb.
std::string findPrograms() {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", error)) {
    if (std::filesystem::exists(version.path() / "bin" / "initdb", error)) {
      found.push_back((version.path() / "bin").string());
    }
  }
  return found.empty() ? std::string() : *std::ranges::max_element(found);
}

/// Runs a program as another user; its output goes to `log`.
pid_t runAs(uid_t user, gid_t group, const std::vector<std::string>& command,
            const std::string& log) {
  const pid_t child = fork();
  if (child != 0) {
    return child;
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  if (geteuid() == 0 && (setgid(group) != 0 || setuid(user) != 0)) {
    _exit(126);
  }
  // An immediate shutdown if the tests crash.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() : programs_(findPrograms()) {
  if (const std::string reason = serversUnsupportedReason(); !reason.empty()) {
    missing_reason_ = reason;
    return;
  }
  if (programs_.empty()) {
    missing_reason_ = "no PostgreSQL server in /usr/lib/postgresql; install postgresql";
    return;
  }
  const passwd* const account = getpwnam("postgres");
  if (geteuid() == 0 && account == nullptr) {
    missing_reason_ = "no user postgres, and PostgreSQL refuses to run as root";
    return;
  }
  user_ = geteuid() == 0 ? account->pw_uid : geteuid();
  group_ = geteuid() == 0 ? account->pw_gid : getegid();
  if (geteuid() == 0 && chown(folder_.path().c_str(), user_, group_) != 0) {
    missing_reason_ = "the temporary folder cannot be given to the user postgres";
    return;
  }
  const std::string log = folder_.file("log");
  const pid_t initdb = runAs(user_, group_,
                             {programs_ + "/initdb", "-D", folder_.file("data"), "-U", "dubito",
                              "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"},
                             log);
  int status = 0;
  if (waitpid(initdb, &status, 0) != initdb || status != 0) {
    throw std::runtime_error("initdb failed: " + readBytes(log));
  }
  start();
}

PostgresServer::~PostgresServer() {
  crash();
}

void PostgresServer::start() {
  process_ = runAs(user_, group_,
                   {programs_ + "/postgres", "-D", folder_.file("data"), "-c",
                    "listen_addresses=", "-c", "unix_socket_directories=" + folder_.path().string(),
                    "-c", "shared_buffers=32MB", "-c", "max_connections=50"},
                   folder_.file("log"));
  const auto began = std::chrono::steady_clock::now();
  while (!openConnection(addressOf("postgres"), StoreMode::kReadOnly)) {
    if (std::chrono::steady_clock::now() - began > kPatience) {
      throw std::runtime_error("the server does not start: " + readBytes(folder_.file("log")));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresServer::crash() {
  if (const pid_t process = std::exchange(process_, -1); process > 0) {
    kill(process, SIGQUIT);
    waitpid(process, nullptr, 0);
  }
}

std::string PostgresServer::addressOf(const std::string& database) const {
  std::string folder = folder_.path().string();
  for (std::size_t at = 0; (at = folder.find('/', at)) != std::string::npos;) {
    folder.replace(at, 1, "%2F");
  }
  return fmt::format("postgresql://dubito@{}/{}", folder, database);
}

std::string PostgresServer::newDatabase() {
  const std::string name = fmt::format("labels{}", ++databases_);
  auto connection = openConnection(addressOf("postgres"), StoreMode::kOpen);
  if (!connection) {
    throw std::runtime_error(connection.error().message);
  }
  if (const Status created = (*connection)->runScript("CREATE DATABASE " + name); !created) {
    throw std::runtime_error(created.error().message);
  }
  return addressOf(name);
}

}  // namespace dubito::test
