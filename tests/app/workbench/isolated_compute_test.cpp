// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/isolated_compute.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <variant>

#include "tests/app/support/workspace_files.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

class IsolatedComputeTest : public testing::Test {
 protected:
  test::TempDir dir_;
  test::WorkspaceFiles files_{dir_.file("tree")};
  ChildReaper reaper_;
  RunContext context_;
  ComputeRequest request_;

  void SetUp() override {
    // Whatever a computation leaves behind is found.
    fs::create_directories(dir_.file("tmp"));
    setenv("TMPDIR", dir_.file("tmp").c_str(), 1);
    context_.seed = 7;
    context_.threads = 2;
    request_.model = *loadModel(files_.model, {}, context_);
    request_.in = {"digits", *openDataset(files_.digits, context_)};
    request_.ood = {{"signs", *openDataset(files_.signs, context_)}};
    McDropoutOptions dropout;
    dropout.draws = 6;
    dropout.drop_rate = 0.3;
    request_.method = dropout;
    request_.predict.batch = 7;
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(dir_.file("tmp")));
    unsetenv("TMPDIR");
  }
  /// A program that does this in place of dubito-cli.
  std::string standIn(const std::string& script) {
    std::string path = dir_.file("stand-in");
    test::writeBytes(path, "#!/bin/sh\n" + script + "\n");
    chmod(path.c_str(), 0700);
    return path;
  }
  bool passes(const std::string& argument) {
    const auto arguments =
        predictArguments(request_, *request_.in.dataset, "out.npz", "post.npz", context_);
    return std::find(arguments.begin(), arguments.end(), argument) != arguments.end();
  }
};

TEST_F(IsolatedComputeTest, TheNumbersAreThoseOfTheWindowBitByBit) {
  const auto inside = computeAnalysis(request_, context_);
  ASSERT_OK(inside);
  bool told = false;
  const std::int64_t items = request_.in.dataset->size() + request_.ood.front().dataset->size();
  context_.on_progress = [&told, items](const Progress& progress) {
    told = told || (progress.stage == "digits" && progress.total == items);
  };
  const auto outside = computeIsolated(request_, cliProgram(), reaper_, context_);
  ASSERT_OK(outside);
  EXPECT_TRUE(told);
  ASSERT_EQ((*outside)->parts.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    const dubito::Run& a = *(*inside)->parts[p].run;
    const dubito::Run& b = *(*outside)->parts[p].run;
    EXPECT_EQ((*inside)->parts[p].name, (*outside)->parts[p].name);
    ASSERT_EQ(a.itemCount(), b.itemCount());
    for (std::int64_t i = 0; i < a.itemCount(); ++i) {
      for (std::int64_t k = 0; k < a.classCount(); ++k) {
        ASSERT_EQ(a.prob(i, k), b.prob(i, k));
      }
    }
    ASSERT_TRUE(a.samples && b.samples);
    EXPECT_TRUE(std::ranges::equal(a.samples->values(), b.samples->values()));
    EXPECT_EQ(a.meta.dataset_hash, b.meta.dataset_hash);
    EXPECT_EQ(a.meta.method_options, b.meta.method_options);
  }
  EXPECT_EQ((*inside)->evaluation.nll, (*outside)->evaluation.nll);
  EXPECT_EQ((*outside)->model, request_.model);
  EXPECT_TRUE((*outside)->method);
  EXPECT_EQ((*outside)->in().dataset, request_.in.dataset);
}

TEST_F(IsolatedComputeTest, FlagsSayWhatTheMethodUsesAndNoMore) {
  EXPECT_TRUE(passes("--draws=6"));
  EXPECT_TRUE(passes("--drop-rate=0.3"));
  EXPECT_TRUE(passes("--batch=7"));
  EXPECT_TRUE(passes("--seed=7"));
  EXPECT_TRUE(passes("--threads=2"));
  request_.memory.memory = "3G";
  EXPECT_TRUE(passes("--memory=3G"));
  EXPECT_TRUE(passes("--progress=json"));
  EXPECT_FALSE(passes("--posterior=post.npz"));
  request_.method = LaplaceOptions{};
  request_.data.fit = request_.in.dataset;
  EXPECT_TRUE(passes("--posterior=post.npz"));
  EXPECT_TRUE(passes("--fit=" + request_.in.dataset->info().spec));
  request_.method = MapOptions{};
  request_.predict.keep_samples_mb = 3;
  EXPECT_FALSE(passes("--keep-samples-mb=3"));
  EXPECT_FALSE(passes("--fit=" + request_.in.dataset->info().spec));
}

TEST_F(IsolatedComputeTest, AModelFileThatChangedSinceItWasOpenedIsRefused) {
  fs::remove(files_.model);
  fs::copy_file(test::sourceDir() / "tests/data/models/log_softmax.pt", files_.model);
  const auto outside = computeIsolated(request_, cliProgram(), reaper_, context_);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().message,
            files_.model + ": changed since it was opened; open it again, then compute");
}

TEST_F(IsolatedComputeTest, AFitServesAllDatasets) {
  LaplaceOptions laplace;
  request_.method = laplace;
  request_.data.fit = request_.ood.front().dataset;
  request_.data.allow_same_split = true;
  const auto inside = computeAnalysis(request_, context_);
  ASSERT_OK(inside);
  const auto outside = computeIsolated(request_, cliProgram(), reaper_, context_);
  ASSERT_OK(outside);
  for (std::size_t p = 0; p < 2; ++p) {
    const dubito::Run& a = *(*inside)->parts[p].run;
    const dubito::Run& b = *(*outside)->parts[p].run;
    for (std::int64_t i = 0; i < a.itemCount(); ++i) {
      ASSERT_NEAR(a.prob(i, 0), b.prob(i, 0), 1e-6);
    }
  }
  ASSERT_TRUE((*outside)->method);
  EXPECT_TRUE(std::get<LaplaceOptions>(*(*outside)->method).fitted);
  request_.ood.clear();
  const auto alone = computeIsolated(request_, cliProgram(), reaper_, context_);
  ASSERT_OK(alone);
  EXPECT_TRUE((*alone)->method);
}

TEST_F(IsolatedComputeTest, AChildThatCrashesIsAnErrorAndLeavesNothing) {
  const auto crashed = computeIsolated(
      request_, standIn("echo half > \"${4#--output=}\"; kill -SEGV $$"), reaper_, context_);
  ASSERT_FALSE(crashed);
  EXPECT_THAT(crashed.error().message, HasSubstr("signal 11"));
}

TEST_F(IsolatedComputeTest, AChildThatWritesNoRunIsAnError) {
  EXPECT_FALSE(computeIsolated(request_, standIn("exit 0"), reaper_, context_));
  EXPECT_FALSE(
      computeIsolated(request_, standIn("echo no run > \"${4#--output=}\""), reaper_, context_));
}

TEST_F(IsolatedComputeTest, TheChildsOwnErrorIsReported) {
  fs::remove(files_.model);
  const auto failed = computeIsolated(request_, cliProgram(), reaper_, context_);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message.find(files_.model), 0U) << failed.error().message;
}

TEST_F(IsolatedComputeTest, WhatIsInMemoryAloneStaysInTheWindow) {
  EXPECT_EQ(whyNotIsolated(request_), "");
  request_.data.calibration_run = {"a run", std::make_shared<const dubito::Run>()};
  EXPECT_NE(whyNotIsolated(request_), "");
  EXPECT_FALSE(computeIsolated(request_, cliProgram(), reaper_, context_));
}

}  // namespace
}  // namespace dubito
