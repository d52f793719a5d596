// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs that cannot be written: one line that names the file, nothing half, and what was there
// before stays.
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "core/io/run_file.h"
#include "tests/app/cli/long_run_fixture.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;
using test::runProcess;

constexpr const char* kSmall = "synthetic:blobs?n=300&seed=4&blobs=200";

/// A command, and the file that it is to write.
struct Output {
  std::vector<std::string> command;
  std::string file;
};

class WriteFailure : public test::LongRun {
 protected:
  /// Every kind of output, into `folder`.
  std::vector<Output> outputsIn(const fs::path& folder) {
    const std::string run = folder_.file("made.npz");
    const ProcessResult made = runProcess(predictCommand(run, {}, kSmall));
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const auto at = [&](const char* name) { return (folder / name).string(); };
    return {{predictCommand(at("run.npz"), {}, kSmall), at("run.npz")},
            {{DUBITO_CLI, "train", "mlp", kSmall, "-o", at("model.pt"), "--epochs", "1",
              "--threads", "1"},
             at("model.pt")},
            {{DUBITO_CLI, "convert", run, "-o", at("converted.npz")}, at("converted.npz")},
            {{DUBITO_CLI, "evaluate", run, "--json", at("metrics.json")}, at("metrics.json")},
            {{DUBITO_CLI, "evaluate", run, "--csv", folder.string()}, at("metrics.csv")}};
  }
  /// Puts older files into `folder`, makes it unusable, runs every command behind `prefix`, and
  /// expects them all to fail well.
  void expectAllFail(const fs::path& folder, const std::function<void()>& spoil,
                     const std::vector<std::string>& prefix, const std::string& reason) {
    const std::vector<Output> outputs = outputsIn(folder);
    for (const Output& output : outputs) {
      test::writeBytes(output.file, "older");
    }
    spoil();
    const auto before = std::distance(fs::directory_iterator(folder), {});
    for (const Output& output : outputs) {
      std::vector<std::string> command = prefix;
      command.insert(command.end(), output.command.begin(), output.command.end());
      const ProcessResult result = runProcess(command);
      EXPECT_EQ(result.exit_code, 1) << output.file << result.out;
      EXPECT_TRUE(isOneLine(result.err)) << result.err;
      EXPECT_THAT(result.err, HasSubstr(output.file));
      EXPECT_THAT(result.err, HasSubstr(reason));
      EXPECT_THAT(result.err, HasSubstr("; "));
      EXPECT_EQ(test::readBytes(output.file), "older") << output.file;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), before)
        << "something half was left";
  }
};

TEST_F(WriteFailure, WithoutPermission) {
  const fs::path folder = folder_.path() / "closed";
  fs::create_directory(folder);
  // To root every folder is open, unless that right is given up.
  std::vector<std::string> prefix;
  if (geteuid() == 0) {
    prefix = {"/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"};
    if (!fs::exists(prefix[0]) || runProcess({prefix[0], prefix[1], "/bin/true"}).exit_code != 0) {
      GTEST_SKIP() << "runs as root, without setpriv to give up root's rights";
    }
  }
  expectAllFail(
      folder, [&] { fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec); },
      prefix, "cannot be written (Permission denied)");
  fs::permissions(folder, fs::perms::owner_all);
}

TEST_F(WriteFailure, BeyondTheLargestFileAllowed) {
#if DUBITO_COUNTS_LINES
  GTEST_SKIP() << "the counts of lines that every program writes at its end are too large as well";
#endif
  const fs::path folder = folder_.path() / "limited";
  fs::create_directory(folder);
  expectAllFail(
      folder, [] {}, {"/bin/sh", "-c", "ulimit -f 1 && exec \"$0\" \"$@\""}, "File too large");
}

/// A small disk of its own, where the system lets us have one.
class SmallDisk {
 public:
  SmallDisk(const fs::path& folder, const std::string& size) : folder_(folder) {
    fs::create_directory(folder);
    mounted_ = mount("size=" + size);
  }
  ~SmallDisk() {
    if (mounted_) {
      (void)runProcess({"/bin/umount", folder_.string()});
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] bool mount(const std::string& options) const {
    return runProcess({"/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder_.string()})
               .exit_code == 0;
  }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

TEST_F(WriteFailure, OnAFullDisk) {
  const fs::path folder = folder_.path() / "disk";
  const SmallDisk disk(folder, "48k");
  if (!disk.mounted()) {
    GTEST_SKIP() << "no small disk can be mounted here";
  }
  const auto fill = [&] {
    std::ofstream filler(folder / "filler", std::ios::binary);
    while (filler.flush()) {
      filler << std::string(1024, 'x');
    }
  };
  expectAllFail(folder, fill, {}, "No space left on device");
}

TEST_F(WriteFailure, ALongRunOnAFullDiskGoesOnWhenThereIsRoom) {
  const fs::path folder = folder_.path() / "disk";
  const SmallDisk disk(folder, "20m");
  if (!disk.mounted()) {
    GTEST_SKIP() << "no small disk can be mounted here";
  }
  const std::string run = (folder / "run.npz").string();
  const ProcessResult full = runProcess(predictCommand(run));
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_TRUE(isOneLine(full.err)) << full.err;
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_THAT(full.err, HasSubstr("continue from what is saved (--resume)"));
  EXPECT_EQ(partsOf(run).size(), 2U);
  EXPECT_FALSE(fs::exists(run));
  ASSERT_EQ(runProcess({"/bin/mount", "-o", "remount,size=400m", folder.string()}).exit_code, 0);
  const ProcessResult resumed = runProcess(predictCommand(run, {"--resume"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  RunContext context;
  const auto read = readRun(run, context);
  ASSERT_OK(read);
  EXPECT_EQ(read->itemCount(), 25000);
}

TEST_F(WriteFailure, StandardOutputThatGoesNowhereIsAFailure) {
  const ProcessResult result =
      runProcess({"/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full", DUBITO_CLI, "devices"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(isOneLine(result.err)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("standard output"));
}

}  // namespace
}  // namespace dubito
