// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/centred_logits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dubito {
namespace {

TEST(CentredLogits, SoftmaxGivesTheProbabilitiesBack) {
  const auto probs = Array<float>::fromVector({2, 3}, {0.7F, 0.2F, 0.1F, 0.05F, 0.05F, 0.9F});
  const Array<float> logits = centredLogits(probs);
  for (std::int64_t t = 0; t < 2; ++t) {
    double sum = 0.0;
    double norm = 0.0;
    for (const float z : logits.row(t)) {
      sum += static_cast<double>(z);
      norm += std::exp(static_cast<double>(z));
    }
    EXPECT_NEAR(sum, 0.0, 1e-6);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(std::exp(static_cast<double>(logits.row(t)[k])) / norm,
                  static_cast<double>(probs.row(t)[k]), 1e-6);
    }
  }
}

TEST(CentredLogits, ZeroIsTheSmallestNormalNumber) {
  const Array<float> logits = centredLogits(Array<float>::fromVector({1, 2}, {1.0F, 0.0F}));
  EXPECT_NEAR(logits.data()[0], 43.668, 1e-2);
  EXPECT_NEAR(logits.data()[1], -43.668, 1e-2);
}

TEST(CentredLogits, StoredLogitsAreShiftedAlone) {
  const Array<float> logits = centred(Array<float>::fromVector({1, 3}, {5.0F, 2.0F, -1.0F}));
  EXPECT_FLOAT_EQ(logits.data()[0], 3.0F);
  EXPECT_FLOAT_EQ(logits.data()[1], 0.0F);
  EXPECT_FLOAT_EQ(logits.data()[2], -3.0F);
}

TEST(CentredLogits, MaskedClassesStayAndDoNotCount) {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  const Array<float> logits = centred(Array<float>::fromVector({1, 3}, {5.0F, kMasked, 1.0F}));
  EXPECT_FLOAT_EQ(logits.data()[0], 2.0F);
  EXPECT_EQ(logits.data()[1], kMasked);
  EXPECT_FLOAT_EQ(logits.data()[2], -2.0F);
}

}  // namespace
}  // namespace dubito
