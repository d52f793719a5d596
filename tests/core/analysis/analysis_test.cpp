// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/models/guessed_preprocessing.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(Analysis, ItsDetailSaysThatThePreprocessingWasGuessed) {
  const AnalysisPtr sample = test::sampleAnalysis();
  const std::string seed = "seed 0 · ";
  ASSERT_TRUE(sample->detail.starts_with(seed)) << sample->detail;
  std::vector<AnalysisPart> parts = sample->parts;
  dubito::Run run = *parts.front().run;
  run.meta.notes.push_back(guessedPreprocessingNote({"value range"}, {}));
  parts.front().run = std::make_shared<const dubito::Run>(std::move(run));
  RunContext context;
  const auto guessed = analyse(std::move(parts), nullptr, std::nullopt, {}, context);
  ASSERT_OK(guessed);
  EXPECT_EQ((*guessed)->detail,
            seed + "preprocessing guessed · " + sample->detail.substr(seed.size()));
}

TEST(Analysis, MethodsAreNamedInWords) {
  const auto nameOf = [](const std::string& method, const std::string& options) {
    dubito::Run run = *test::sampleAnalysis()->in().run;
    run.meta.method = method;
    run.meta.method_options = options;
    return describeMethod(run);
  };
  EXPECT_EQ(nameOf("mc-dropout", R"({"draws": 50})"), "MC dropout, 50 draws");
  EXPECT_EQ(nameOf("mc-dropout", R"({"draws": 1})"), "MC dropout, 1 draw");
  EXPECT_EQ(nameOf("mc-dropout", R"({"draws": 20000})"), "MC dropout, 20\u202F000 draws");
  EXPECT_EQ(nameOf("ensemble", R"({"draws": 100, "members": [{}, {}]})"), "Ensemble, 2 members");
}

TEST(Analysis, PredictionsOfAnotherProgramAreCalledLikeTheirFile) {
  std::vector<AnalysisPart> parts = {test::sampleAnalysis()->in()};
  dubito::Run run = *parts.front().run;
  run.meta.method = "predictions";
  run.meta.model_name.clear();
  parts.front().run = std::make_shared<const dubito::Run>(std::move(run));
  parts.front().name = "resnet-epoch-3";
  RunContext context;
  const auto opened = analyse(std::move(parts), nullptr, std::nullopt, {}, context);
  ASSERT_OK(opened);
  EXPECT_EQ((*opened)->name, "resnet-epoch-3");
}

}  // namespace
}  // namespace dubito
