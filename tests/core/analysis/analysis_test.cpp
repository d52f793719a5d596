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

}  // namespace
}  // namespace dubito
