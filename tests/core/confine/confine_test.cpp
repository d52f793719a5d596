// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confine.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr int kNotConfined = 101;
constexpr int kThrew = 102;

/// What `act` returns in a child process that confined itself first. Exit codes hold errno values,
/// which are below 100 where they matter here.
int confined(const Confinement& confinement, const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    const auto state = confineProcess(confinement);
    if (!state || !state->files || !state->system_calls) {
      _exit(kNotConfined);
    }
    int result = kThrew;
    try {
      result = act();
    } catch (...) {
    }
    _exit(result);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// 0, or errno of opening the file.
int opening(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
  return file < 0 ? errno : 0;
}

class Confine : public testing::Test {
 protected:
  void SetUp() override {
    if (!availableConfinement().missing().empty()) {
      GTEST_SKIP() << availableConfinement().missing();
    }
    for (const char* name : {"in", "out", "other"}) {
      fs::create_directory(dir_.path() / name);
      std::ofstream(dir_.path() / name / "file") << "text";
    }
    confinement_ = {.readable = {in("file"), dir_.file("in/absent")},
                    .writable = {dir_.file("out")}};
  }
  std::string in(const std::string& name) const { return dir_.file("in/" + name); }
  std::string out(const std::string& name) const { return dir_.file("out/" + name); }
  std::string other(const std::string& name) const { return dir_.file("other/" + name); }

  test::TempDir dir_;
  Confinement confinement_;
};

TEST_F(Confine, ReadsItsInputsOnly) {
  EXPECT_EQ(confined(confinement_, [&] { return opening(in("file"), O_RDONLY); }), 0);
  EXPECT_EQ(confined(confinement_, [&] { return opening(other("file"), O_RDONLY); }), EACCES);
  EXPECT_EQ(confined(confinement_, [&] { return opening("/etc/shadow", O_RDONLY); }), EACCES);
  EXPECT_EQ(confined(confinement_, [&] { return opening("/etc/hostname", O_RDONLY); }), EACCES);
  EXPECT_EQ(confined(confinement_, [] { return opening("/proc/1/environ", O_RDONLY); }), EACCES);
  EXPECT_EQ(confined(confinement_, [&] { return opening(dir_.file("other"), O_RDONLY); }), EACCES);
}

TEST_F(Confine, WritesItsResultOnly) {
  const int create = O_WRONLY | O_CREAT | O_TRUNC;
  EXPECT_EQ(confined(confinement_, [&] { return opening(out("new"), create); }), 0);
  EXPECT_TRUE(fs::exists(out("new")));
  EXPECT_EQ(confined(confinement_, [&] { return opening(out("file"), create); }), 0);
  EXPECT_EQ(confined(confinement_, [&] { return opening(in("file"), O_WRONLY); }), EACCES);
  EXPECT_EQ(confined(confinement_, [&] { return opening(other("new"), create); }), EACCES);
  EXPECT_FALSE(fs::exists(other("new")));
}

TEST_F(Confine, ReplacesAndRemovesInTheFolderOfTheResult) {
  EXPECT_EQ(
      confined(confinement_,
               [&] { return rename(out("file").c_str(), out("moved").c_str()) == 0 ? 0 : errno; }),
      0);
  EXPECT_TRUE(fs::exists(out("moved")));
  EXPECT_EQ(confined(confinement_, [&] { return unlink(out("moved").c_str()) == 0 ? 0 : errno; }),
            0);
  EXPECT_EQ(confined(confinement_, [&] { return unlink(other("file").c_str()) == 0 ? 0 : errno; }),
            EACCES);
  EXPECT_EQ(
      confined(confinement_, [&] { return truncate(in("file").c_str(), 0) == 0 ? 0 : errno; }),
      EACCES);
  EXPECT_EQ(
      confined(confinement_, [&] { return chmod(in("file").c_str(), 0777) == 0 ? 0 : errno; }),
      EPERM);
}

TEST_F(Confine, HasNoNetwork) {
  const auto socketOf = [](int family, int type) {
    return [=] { return socket(family, type, 0) < 0 ? errno : 0; };
  };
  EXPECT_EQ(confined(confinement_, socketOf(AF_INET, SOCK_STREAM)), EPERM);
  EXPECT_EQ(confined(confinement_, socketOf(AF_INET6, SOCK_DGRAM)), EPERM);
  EXPECT_EQ(confined(confinement_, socketOf(AF_UNIX, SOCK_STREAM)), EPERM);
}

TEST_F(Confine, StartsNoPrograms) {
  EXPECT_EQ(confined(confinement_,
                     [] {
                       execl("/bin/true", "true", nullptr);
                       return errno;
                     }),
            EPERM);
  EXPECT_EQ(confined(confinement_,
                     [] {
                       const pid_t child = fork();
                       if (child == 0) {
                         _exit(0);
                       }
                       return child < 0 ? errno : 0;
                     }),
            EPERM);
  EXPECT_EQ(confined(confinement_, [] { return kill(getppid(), 0) == 0 ? 0 : errno; }), EPERM);
}

TEST_F(Confine, StartsThreadsWhichAreConfinedToo) {
  EXPECT_EQ(confined(confinement_,
                     [&] {
                       int result = -1;
                       std::thread([&] { result = opening(other("file"), O_RDONLY); }).join();
                       return result;
                     }),
            EACCES);
  EXPECT_EQ(confined(confinement_,
                     [&] {
                       int result = -1;
                       std::thread([&] { result = opening(in("file"), O_RDONLY); }).join();
                       return result;
                     }),
            0);
}

TEST_F(Confine, LetsAFailedProcessAbort) {
  EXPECT_EQ(confined(confinement_,
                     [] {
                       std::abort();
                       return 0;
                     }),
            1000 + SIGABRT);
}

TEST(ConfinementState, SaysWhatIsMissing) {
  EXPECT_EQ((ConfinementState{.files = true, .system_calls = true}).missing(), "");
  EXPECT_THAT((ConfinementState{.files = false, .system_calls = true}).missing(),
              HasSubstr("Linux 5.13"));
  EXPECT_THAT((ConfinementState{.files = true, .system_calls = false}).missing(),
              HasSubstr("libseccomp"));
}

}  // namespace
}  // namespace dubito
