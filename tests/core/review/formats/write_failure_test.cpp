// SPDX-License-Identifier: GPL-3.0-or-later
// A failed export leaves the older file and nothing else.
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Access to files as an ordinary user: to root every folder is open.
class AsOrdinaryUser {
 public:
  AsOrdinaryUser() { (void)setfsuid(geteuid() == 0 ? 65534 : geteuid()); }
  ~AsOrdinaryUser() { (void)setfsuid(geteuid()); }
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;
};

/// No file may become larger than `bytes`, as on a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    (void)getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    (void)setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    (void)setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class FailedExport : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    fs::permissions(dir_.path(), fs::perms::all);
    fs::create_directory(folder_);
    table_.classes = {{.id = 0, .name = "cat"}};
    for (int i = 0; i < 100; ++i) {
      LabelRow row;
      row.path = "images/" + std::to_string(i) + ".png";
      row.class_id = 0;
      table_.rows.push_back(row);
    }
    fs::create_directory(dir_.path() / "images");
    for (const LabelRow& row : table_.rows) {
      test::writeBytes(dir_.path() / row.path, std::string(1000, 'x'));
    }
    if (isFile()) {
      test::writeBytes(path_, "older");
    }
  }
  void TearDown() override { fs::permissions(folder_, fs::perms::owner_all); }

  [[nodiscard]] bool isFile() const {
    return std::string(test::labelFormat(GetParam()).ending) != "";
  }

  template <class Limit>
  void expectFailure(const Limit& limit, const std::string& reason) {
    const std::vector<std::string> before = test::everythingIn(dir_.path());
    LabelExportOptions options;
    options.images = dir_.path().string();
    RunContext context;
    std::optional<Expected<LabelExport>> written;
    {
      const auto limited = limit();
      written = exportLabels(test::labelFormat(GetParam()), table_, path_, options, context);
    }
    ASSERT_FALSE(*written);
    EXPECT_EQ(written->error().code, ErrorCode::kWriteFailed);
    EXPECT_THAT(written->error().message, HasSubstr(path_));
    EXPECT_THAT(written->error().message, HasSubstr(reason));
    EXPECT_EQ(test::everythingIn(dir_.path()), before);
    if (isFile()) {
      EXPECT_EQ(test::readBytes(path_), "older");
    }
  }

  test::TempDir dir_;
  fs::path folder_ = dir_.path() / "out";
  std::string path_ = (folder_ / "labels").string();
  LabelTable table_;
};

TEST_P(FailedExport, IntoAReadOnlyFolderLeavesNothing) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                               fs::perms::others_exec);
  expectFailure([] { return AsOrdinaryUser(); }, "Permission denied");
}

TEST_P(FailedExport, OnAFullDiskLeavesNothing) {
  expectFailure([] { return SmallFiles(100); }, "File too large");
}

TEST_P(FailedExport, IntoAMissingFolderLeavesNothing) {
  path_ = (folder_ / "none" / "labels").string();
  const std::vector<std::string> before = test::everythingIn(dir_.path());
  LabelExportOptions options;
  options.images = dir_.path().string();
  RunContext context;
  const auto written = exportLabels(test::labelFormat(GetParam()), table_, path_, options, context);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(written.error().message, HasSubstr(path_));
  EXPECT_EQ(test::everythingIn(dir_.path()), before);
}

INSTANTIATE_TEST_SUITE_P(LabelFormats, FailedExport, testing::ValuesIn(test::formatKeys()),
                         test::formatTestName);

}  // namespace
}  // namespace dubito
