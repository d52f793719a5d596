// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/kept_posterior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "app/workbench/isolated_compute.h"
#include "tests/app/support/workspace_files.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Laplace fitted on 60 digits, predicting 30 others and 20 signs.
class KeptPosteriorTest : public testing::Test {
 protected:
  test::TempDir dir_;
  test::WorkspaceFiles files_{dir_.file("tree")};
  RunContext context_;
  ComputeRequest request_;
  std::string read_or_written_;  ///< posterior_path of the last attempt

  void SetUp() override {
    setenv("XDG_CACHE_HOME", dir_.file("cache").c_str(), 1);
    request_ = files_.request();
    request_.method = LaplaceOptions{};
    const std::string others = files_.digits.substr(0, files_.digits.find('?')) + "?items=100:160";
    request_.data.fit = openDataset(others, context_).value();
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  KeptPosterior kept() const { return {request_, 7}; }
  KeptPosterior::Result compute(const ComputeRequest& request) {
    return KeptPosterior(request, 7)
        .compute(request, KeptPosterior::Writing::kOnFailure,
                 [this](const ComputeRequest& changed) {
                   read_or_written_ = changed.data.posterior_path;
                   return computeAnalysis(changed, context_);
                 });
  }
  /// With images after the others for which the network returns NaN.
  ComputeRequest failing() {
    ComputeRequest request = request_;
    request.ood.push_back(
        {"bright", openDataset(test::tooBrightImages(dir_.file("bright.npz")), context_).value()});
    return request;
  }
};

TEST_F(KeptPosteriorTest, AFitSurvivesADatasetThatFailsAndServesTheNextAttempt) {
  const std::string file = kept().file();
  ASSERT_FALSE(file.empty());
  EXPECT_TRUE(file.starts_with(dir_.file("cache"))) << file;
  const auto failed = compute(failing());
  ASSERT_FALSE(failed.analysis);
  EXPECT_EQ(read_or_written_, "");
  EXPECT_THAT(failed.analysis.error().message, HasSubstr("the fitted posterior was kept"));
  ASSERT_TRUE(fs::exists(file));

  const auto again = compute(request_);
  ASSERT_OK(again.analysis);
  EXPECT_TRUE(again.reused);
  EXPECT_EQ(read_or_written_, file);
  EXPECT_FALSE(fs::exists(file));

  const auto anew = compute(request_);
  ASSERT_OK(anew.analysis);
  EXPECT_FALSE(anew.reused);
  EXPECT_EQ(read_or_written_, "");
  EXPECT_FALSE(fs::exists(file));  // nothing failed
  for (std::size_t part = 0; part < 2; ++part) {
    const auto a = std::get<Array<float>>(*(*again.analysis)->parts[part].run->probs).values();
    const auto b = std::get<Array<float>>(*(*anew.analysis)->parts[part].run->probs).values();
    EXPECT_TRUE(std::ranges::equal(a, b));
  }
}

TEST_F(KeptPosteriorTest, AFitSurvivesACancel) {
  context_.on_progress = [this](const Progress& progress) {
    if (progress.stage == "digits") {
      context_.control()->requestCancel();
    }
  };
  const auto cancelled = compute(request_);
  ASSERT_FALSE(cancelled.analysis);
  EXPECT_EQ(cancelled.analysis.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(kept().exists());
}

TEST_F(KeptPosteriorTest, APosteriorOfOtherItemsIsFittedAnew) {
  const std::string file = kept().file();
  ASSERT_FALSE(compute(failing()).analysis);
  const std::string of_these_items = test::readBytes(file);
  // Under this key, but of items that were other ones then.
  const DatasetPtr right = request_.data.fit;
  request_.data.fit =
      openDataset(files_.digits.substr(0, files_.digits.find('?')) + "?items=200:260", context_)
          .value();
  ASSERT_FALSE(compute(failing()).analysis);
  fs::rename(kept().file(), file);
  request_.data.fit = right;
  EXPECT_NE(test::readBytes(file), of_these_items);
  const auto computed = compute(request_);
  ASSERT_OK(computed.analysis);
  EXPECT_FALSE(computed.reused);
  EXPECT_EQ(read_or_written_, "");

  fs::create_directories(fs::path(file).parent_path());
  test::writeBytes(file, "no posterior");
  const auto after_damage = compute(request_);
  ASSERT_OK(after_damage.analysis);
  EXPECT_FALSE(after_damage.reused);
}

TEST_F(KeptPosteriorTest, WhatShapesTheFitHasItsOwnFile) {
  const std::string file = kept().file();
  const auto with = [this](const auto& change) {
    ComputeRequest request = request_;
    auto& laplace = std::get<LaplaceOptions>(request.method);
    change(request, laplace);
    return KeptPosterior(request, 7).file();
  };
  EXPECT_NE(with([](auto&, auto& laplace) { laplace.structure = "diag"; }), file);
  EXPECT_NE(with([](auto&, auto& laplace) { laplace.layers = "all"; }), file);
  EXPECT_NE(with([this](auto& request, auto&) { request.data.fit = request_.in.dataset; }), file);
  EXPECT_NE(KeptPosterior(request_, 8).file(), file);
  // The prior and the link come after the fit.
  EXPECT_EQ(with([](auto&, auto& laplace) { laplace.link = "mc"; }), file);
  EXPECT_EQ(with([](auto&, auto& laplace) { laplace.prior = "3"; }), file);
  EXPECT_EQ(with([](auto& request, auto&) { request.data.posterior_path = "mine.npz"; }), "");
  EXPECT_EQ(with([](auto& request, auto&) { request.method = MapOptions{}; }), "");
}

TEST_F(KeptPosteriorTest, OnlyTheNewestAreKept) {
  const std::string file = kept().file();
  const fs::path folder = fs::path(file).parent_path();
  fs::create_directories(folder);
  for (int i = 0; i < 6; ++i) {
    const fs::path older = folder / ("older" + std::to_string(i) + ".npz");
    test::writeBytes(older, "x");
    fs::last_write_time(older, fs::file_time_type::clock::now() - std::chrono::hours(i + 1));
  }
  ASSERT_FALSE(compute(failing()).analysis);
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder)) {
    left.insert(entry.path().filename());
  }
  EXPECT_EQ(left, (std::set<std::string>{"older0.npz", "older1.npz", "older2.npz",
                                         fs::path(file).filename()}));
}

TEST_F(KeptPosteriorTest, ItOutlivesAProcessThatFails) {
  ChildReaper reaper;
  const auto isolated = [&](const ComputeRequest& request) {
    return KeptPosterior(request, 7)
        .compute(request, KeptPosterior::Writing::kAfterTheFit, [&](const ComputeRequest& changed) {
          return computeIsolated(changed, cliProgram(), reaper, context_);
        });
  };
  const auto failed = isolated(failing());
  ASSERT_FALSE(failed.analysis);
  EXPECT_TRUE(kept().exists()) << failed.analysis.error().message;
  const auto again = isolated(request_);
  ASSERT_OK(again.analysis);
  EXPECT_TRUE(again.reused);
  EXPECT_FALSE(kept().exists());
}

}  // namespace
}  // namespace dubito
