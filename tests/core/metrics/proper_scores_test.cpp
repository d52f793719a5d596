// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/proper_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/compensated_sum.h"
#include "core/metrics/labelled_scores.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Labels = std::vector<std::int64_t>;

TEST(ProperScores, AProbabilityOfZeroIsClampedByTheStoredType) {
  const Labels label{1};
  const Array<float> narrow = Array<float>::fromVector({1, 2}, {1.0F, 0.0F});
  const Array<double> wide = Array<double>::fromVector({1, 2}, {1.0, 0.0});
  EXPECT_TRUE(closeTo(negativeLogLikelihood(narrow, label), 126.0 * std::log(2.0), 1e-12));
  EXPECT_TRUE(closeTo(negativeLogLikelihood(wide, label), 1022.0 * std::log(2.0), 1e-12));
}

TEST(ProperScores, LogitsNeedNoClamp) {
  const RealArray logits = Array<float>::fromVector({1, 2}, {0.0F, -1e6F});
  const Array<float> probs = Array<float>::fromVector({1, 2}, {1.0F, 0.0F});
  const LabelledScores scores = labelledScores(probs, &logits, Labels{1}, RunContext());
  EXPECT_TRUE(scores.nll_is_of_logits);
  EXPECT_TRUE(closeTo(scores.nll, 1e6, 1e-12));
}

TEST(ProperScores, BrierLiesBetweenZeroAndTwo) {
  const Array<double> probs = Array<double>::fromVector({1, 3}, {1.0, 0.0, 0.0});
  EXPECT_EQ(labelledScores(probs, nullptr, Labels{0}, RunContext()).brier, 0.0);
  EXPECT_EQ(labelledScores(probs, nullptr, Labels{2}, RunContext()).brier, 2.0);
}

TEST(ProperScores, UnlabelledItemsAreLeftOut) {
  const Array<double> probs = Array<double>::fromVector({2, 2}, {0.5, 0.5, 0.1, 0.9});
  const Labels labels{0, -1};
  EXPECT_TRUE(closeTo(negativeLogLikelihood(probs, labels), std::log(2.0), 1e-14));
  EXPECT_DOUBLE_EQ(labelledScores(probs, nullptr, labels, RunContext()).brier, 0.5);
  const Labels none{-1, -1};
  EXPECT_TRUE(std::isnan(negativeLogLikelihood(probs, none)));
  EXPECT_TRUE(std::isnan(meanConfidence({})));
}

TEST(ProperScores, ForeignLabelsAndShapesThrow) {
  const Array<double> probs = Array<double>::fromVector({1, 2}, {0.5, 0.5});
  EXPECT_THROW(static_cast<void>(negativeLogLikelihood(probs, Labels{2})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(negativeLogLikelihood(probs, Labels{0, 0})),
               std::invalid_argument);
}

TEST(CompensatedSum, KeepsWhatAPlainSumLoses) {
  CompensatedSum sum;
  sum.add(1.0);
  sum.add(1e100);
  sum.add(1.0);
  sum.add(-1e100);
  EXPECT_EQ(sum.value(), 2.0);
}

}  // namespace
}  // namespace dubito
