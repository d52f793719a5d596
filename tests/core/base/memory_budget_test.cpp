// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_budget.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

TEST(MemoryBudget, ReadsSizesWithUnits) {
  const std::vector<std::pair<std::string, std::int64_t>> sizes = {
      {"4G", 4'000'000'000}, {"4gb", 4'000'000'000},   {"1.5 GB", 1'500'000'000},
      {"800M", 800'000'000}, {"2GiB", 2LL << 30},      {"64 mib", 64LL << 20},
      {"2000k", 2'000'000},  {"1T", 1'000'000'000'000}};
  for (const auto& [text, bytes] : sizes) {
    const auto parsed = parseBytes(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, bytes) << text;
  }
  for (const char* const wrong :
       {"", "G", "four G", "4", "4 apples", "4Gx", "-1G", "0G", "10K", "nan G", "1e30G"}) {
    const auto parsed = parseBytes(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_THAT(parsed.error().message, HasSubstr("such as 4G or 800M")) << wrong;
  }
}

TEST(MemoryBudget, WritesSizesWithThreeDigits) {
  EXPECT_EQ(bytesText(0), "0 bytes");
  EXPECT_EQ(bytesText(999), "999 bytes");
  EXPECT_EQ(bytesText(12'000), "12 kB");
  EXPECT_EQ(bytesText(999'700), "1 MB");
  EXPECT_EQ(bytesText(1'250'000'000), "1.25 GB");
}

/// A machine with 8 GB available, as proc and sys describe it.
class MachineFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable:  8000000 kB\n");
  }
  void write(const std::string& name, const std::string& text) {
    const fs::path path = fs::path(root()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] std::string root() const { return folder_.file("root"); }

 private:
  test::TempDir folder_;
};

TEST_F(MachineFiles, TheKernelsNumberCountsWithoutAControlGroup) {
  EXPECT_EQ(availableMemory(root()), 8'000'000LL * 1024);
  write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(availableMemory(root()), 8'000'000LL * 1024);
  write("sys/fs/cgroup/memory.max", "max\n");
  write("sys/fs/cgroup/memory.current", "5000\n");
  EXPECT_EQ(availableMemory(root()), 8'000'000LL * 1024);
}

TEST_F(MachineFiles, AControlGroupLimitsIt) {
  write("proc/self/cgroup", "0::/user/run\n");
  write("sys/fs/cgroup/user/run/memory.max", "3000000000\n");
  write("sys/fs/cgroup/user/run/memory.current", "1000000000\n");
  write("sys/fs/cgroup/user/run/memory.stat", "anon 1\ninactive_file 200000000\n");
  EXPECT_EQ(availableMemory(root()), 2'200'000'000);
  // A group above it may be tighter.
  write("sys/fs/cgroup/user/memory.max", "1500000000\n");
  write("sys/fs/cgroup/user/memory.current", "1000000000\n");
  EXPECT_EQ(availableMemory(root()), 500'000'000);
}

TEST_F(MachineFiles, TheFirstVersionOfControlGroupsCountsAsWell) {
  write("proc/self/cgroup", "5:cpu:/\n4:memory:/docker/abc\n");
  // A container sees its own group at the mount.
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "500000000\n");
  write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 100000000\n");
  EXPECT_EQ(availableMemory(root()), 1'600'000'000);
}

TEST(MemoryBudget, TakesAShareOfThisMachine) {
  const std::int64_t available = availableMemory();
  ASSERT_GT(available, 0);
  const std::int64_t budget = MemoryOptions{}.budget();
  EXPECT_GT(budget, 0);
  EXPECT_LT(budget, 2 * available);
  EXPECT_EQ(MemoryOptions{"4G"}.budget(), 4'000'000'000);
  EXPECT_GT(residentMemory(), 1'000'000);
}

TEST(MemoryBudget, RefusesWhatIsNoSize) {
  EXPECT_TRUE(MemoryOptions{}.check());
  EXPECT_TRUE(MemoryOptions{"2G"}.check());
  const Status wrong = MemoryOptions{"lots"}.check();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(
      wrong.error().message,
      "Memory: 'lots' is not a size; write a number with a unit, such as 4G or 800M, or auto");
  EXPECT_THAT(wrong.error().remedy.settings, testing::ElementsAre(setting("memory")));
}

}  // namespace
}  // namespace dubito
