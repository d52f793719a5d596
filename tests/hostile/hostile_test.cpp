// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged and hostile files: each is read correctly or refused in one line, quickly and in little
// memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/io/mutate.h"
#include "tests/hostile/effort.h"
#include "tests/hostile/readers.h"
#include "tests/support/matchers.h"
#include "tests/support/sanitized.h"

namespace dubito {
namespace {

constexpr std::uint32_t kMutations = 250;
constexpr double kMaxSeconds = 1.0;
constexpr std::int64_t kMaxBytes = 200 << 20;
// Sanitizers slow reading down and keep freed memory for a while.
constexpr double kAllowance = test::kSanitized ? 10.0 : 1.0;

class Hostile : public testing::TestWithParam<test::Reader> {
 protected:
  void SetUp() override {
    good_ = GetParam().good_bytes(dir_);
    path_ = dir_.file(GetParam().file_name);
  }

  /// Reads the file with these bytes and holds the reader to its promises; true where it was read.
  bool readBytes(const std::string& bytes) {
    test::writeBytes(path_, bytes);
    const test::Effort effort;
    const Status status = GetParam().read_all(path_);
    EXPECT_LT(effort.processorSeconds(), kMaxSeconds * kAllowance);
    EXPECT_LT(effort.peakBytes(), static_cast<std::int64_t>(kMaxBytes * kAllowance));
    if (status) {
      return true;
    }
    const std::string& message = status.error().message;
    EXPECT_THAT(message, HasSubstr(path_));
    EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) {
      return (c >= 0 && c < ' ') || c == '\x7F';
    })) << message;
    EXPECT_LT(message.size(), 1000U) << message;
    return false;
  }

  test::TempDir dir_;
  std::string good_;
  std::string path_;
};

TEST_P(Hostile, TheGoodFileIsRead) {
  EXPECT_TRUE(readBytes(good_));
}

TEST_P(Hostile, FilesCutShortAreRefusedOrRead) {
  // Every length where files are small, else 100 of them: headers first, then evenly.
  const std::size_t steps = std::min<std::size_t>(good_.size(), 100);
  for (std::size_t i = 0; i < steps; ++i) {
    SCOPED_TRACE(i);
    (void)readBytes(good_.substr(0, i < 40 ? i : good_.size() * i / steps));
    if (HasFatalFailure() || HasNonfatalFailure()) {
      return;
    }
  }
}

TEST_P(Hostile, MutationsAreRefusedOrRead) {
  int refused = 0;
  for (std::uint32_t seed = 0; seed < kMutations; ++seed) {
    SCOPED_TRACE(testing::Message() << "mutation " << seed);
    refused += readBytes(test::mutate(good_, seed)) ? 0 : 1;
    if (HasNonfatalFailure()) {
      return;
    }
  }
  // A reader that takes everything would look at nothing.
  EXPECT_GT(refused, 10);
}

INSTANTIATE_TEST_SUITE_P(Readers, Hostile, testing::ValuesIn(test::allReaders()),
                         [](const auto& reader) { return reader.param.name; });

}  // namespace
}  // namespace dubito
