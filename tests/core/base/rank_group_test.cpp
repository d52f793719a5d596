// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_group.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error_json.h"

namespace dubito {
namespace {

/// The first of several processes, whose others say what they were told to.
class StagedRanks : public RankGroup {
 public:
  explicit StagedRanks(std::vector<std::string> others) : others_(std::move(others)) {}
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return static_cast<int>(others_.size()) + 1; }
  void sum(std::span<double> /*values*/) override {}
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) override {
    std::vector<std::string> texts{text};
    texts.insert(texts.end(), others_.begin(), others_.end());
    return texts;
  }
  [[noreturn]] void abort(int exit_code) override { std::exit(exit_code); }

 private:
  std::vector<std::string> others_;
};

TEST(Agree, AllSucceed) {
  StagedRanks ranks({"", ""});
  EXPECT_TRUE(agree(ranks, {}));
}

TEST(Agree, TheLowestFailureCountsAndIsNamed) {
  StagedRanks ranks({"", R"({"code":3,"error":"disk; make room"})"});
  const Status status = agree(ranks, {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, static_cast<ErrorCode>(3));
  EXPECT_EQ(status.error().message, "disk; make room (in process 3 of 3)");
  EXPECT_EQ(status.error().context, kAgreedFailure);
  EXPECT_EQ(status.error().remedy, Remedy());
}

TEST(Agree, TheRemedyAndTheContextOfTheFailureAreKept) {
  Error error{.code = ErrorCode::kOutOfMemory,
              .message = "too many draws; use fewer",
              .context = "bad_alloc"};
  error.remedy.settings = {setting("draws", "10"), setting("memory")};
  error.remedy.needs_input_size = true;
  StagedRanks first({""});
  const Status of_this_one = agree(first, tl::unexpected<Error>(error));
  StagedRanks second({errorToJson(error).dump()});
  const Status of_the_other = agree(second, {});
  int process = 1;
  for (const Status* const status : {&of_this_one, &of_the_other}) {
    ASSERT_FALSE(*status);
    EXPECT_EQ(status->error().code, error.code);
    EXPECT_EQ(status->error().message,
              "too many draws; use fewer (in process " + std::to_string(process++) + " of 2)");
    EXPECT_EQ(status->error().context, std::string(kAgreedFailure) + "bad_alloc");
    EXPECT_EQ(status->error().remedy, error.remedy);
  }
}

TEST(Agree, WhatHasBeenAgreedOnIsReturnedUnchanged) {
  StagedRanks ranks({R"({"code":3,"error":"disk; make room"})"});
  Error error{.code = ErrorCode::kNotFound,
              .message = "gone (in process 1 of 2)",
              .context = kAgreedFailure};
  error.remedy.settings = {setting("posterior")};
  const Status status = agree(ranks, tl::unexpected<Error>(error));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, error.code);
  EXPECT_EQ(status.error().message, error.message);
  EXPECT_EQ(status.error().context, error.context);
  EXPECT_EQ(status.error().remedy, error.remedy);
}

TEST(Agree, WhatFailsEverywhereNamesNobody) {
  StagedRanks ranks({R"({"code":1,"error":"gone"})"});
  const Status status = agree(ranks, fail(ErrorCode::kNotFound, "gone"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(status.error().message, "gone");
}

}  // namespace
}  // namespace dubito
