// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/whole_progress.h"

#include <gtest/gtest.h>

#include "app/workbench/compute_request.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

TEST(WholeProgress, CountsTheItemsOfAllStages) {
  std::vector<Progress> reports;
  RunContext context;
  context.on_progress = [&reports](const Progress& progress) { reports.push_back(progress); };
  WholeProgress whole(context, 100 + 60 + 40);
  const auto expect = [&reports](const std::string& stage, std::int64_t done) {
    EXPECT_EQ(reports.back().stage, stage);
    EXPECT_EQ(reports.back().done, done);
    EXPECT_EQ(reports.back().total, 200);
  };
  RunContext fit = whole.stage("Fitting", {100});
  expect("Fitting", 0);
  fit.on_progress({"comparing digits", 60, 100});
  expect("Fitting", 0);
  fit.on_progress({"fitting", 50, 100});
  expect("Fitting", 50);
  fit.on_progress({"choosing the prior", 7, 41});
  expect("Fitting", 50);
  fit.on_progress({"fitting", 100, 100});
  fit.on_progress({"tuning data", 30, 100});  // more than was foreseen
  expect("Fitting", 100);
  RunContext digits = whole.stage("digits", {60});
  expect("digits", 100);
  digits.on_progress({"predicting", 30, 60});
  expect("digits", 130);
  RunContext signs = whole.stage("signs", {40});
  expect("signs", 160);
  signs.on_progress({"predicting", 40, 40});
  expect("signs", 200);
  RunContext last = whole.stage("Evaluating", {});
  last.on_progress({"overview", 3, 7});
  expect("Evaluating", 200);
}

TEST(WholeProgress, AComputationOverSeveralDatasetsNeverGoesBack) {
  RunContext context;
  const std::string base = (test::sourceDir() / "datasets/samples/mnist-2000").string();
  const std::string digits =
      "idx:" + base + "-images-idx3-ubyte.gz," + base + "-labels-idx1-ubyte.gz?items=";
  const auto model =
      loadModel((test::sourceDir() / "tests/data/models/scripted.pt").string(), {}, context);
  const auto in = openDataset(digits + "0:60", context);
  const auto ood = openDataset(digits + "60:100&role=ood", context);
  const auto fit = openDataset(digits + "100:300&role=train", context);
  ASSERT_TRUE(model && in && ood && fit);
  ComputeRequest request;
  request.model = *model;
  request.in = {"digits", *in};
  request.ood = {{"others", *ood}};
  LaplaceOptions laplace;
  laplace.gauge = 0;
  request.method = laplace;
  request.data.fit = *fit;
  request.predict.batch = 16;
  std::vector<Progress> reports;
  context.on_progress = [&reports](const Progress& progress) { reports.push_back(progress); };
  const auto analysis = computeAnalysis(request, context);
  ASSERT_OK(analysis);
  ASSERT_GT(reports.size(), 4U);
  std::int64_t done = 0;
  for (const Progress& report : reports) {
    EXPECT_EQ(report.total, 200 + 60 + 40) << report.stage;
    EXPECT_GE(report.done, done) << report.stage;
    done = report.done;
  }
  EXPECT_EQ(done, 300);
}

}  // namespace
}  // namespace dubito
