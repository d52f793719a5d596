// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/item_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;
using test::kClasses;
using test::LaplaceMethod;

class ItemGaussian : public LaplaceMethod {
 protected:
  Expected<LogitGaussian> gaussianOf(const ModelPtr& model, std::int64_t index,
                                     const LaplaceOptions& method) {
    return itemGaussian(*model, *test_, index, method, context_);
  }
};

TEST_F(ItemGaussian, VariancesAreThoseOfTheRun) {
  const ModelPtr model = convolutional();
  for (const char* const structure : {"diag", "kron", "full"}) {
    const auto method = fitted(model, with(structure, "probit"));
    ASSERT_OK(method);
    const auto run = predict(*model, *test_, *method, {}, context_);
    ASSERT_OK(run);
    for (const std::int64_t index : {0, 17}) {
      const auto gaussian = gaussianOf(model, index, *method);
      ASSERT_OK(gaussian);
      ASSERT_EQ(gaussian->covariance.size(), 16U);
      for (std::size_t k = 0; k < kClasses; ++k) {
        EXPECT_TRUE(closeTo(gaussian->mean[k], run->logit_mean->row(index)[k], 1e-5, 1e-6));
        EXPECT_TRUE(closeTo(gaussian->covariance[k * kClasses + k], run->logit_var->row(index)[k],
                            1e-5, 1e-7))
            << structure;
        for (std::size_t l = 0; l < k; ++l) {
          EXPECT_TRUE(closeTo(gaussian->covariance[k * kClasses + l],
                              gaussian->covariance[l * kClasses + k], 1e-5, 1e-7));
        }
      }
    }
  }
}

TEST_F(ItemGaussian, CovariancesAreThoseOfTheStructure) {
  const ModelPtr model = flat();
  const auto diagonal = fitted(model, with("diag", "probit"));
  ASSERT_OK(diagonal);
  EXPECT_EQ(gaussianOf(model, 3, *diagonal)->covariance[1], 0.0);
  for (const char* const structure : {"kron", "full"}) {
    const auto method = fitted(model, with(structure, "probit"));
    ASSERT_OK(method);
    const auto gaussian = gaussianOf(model, 3, *method);
    ASSERT_OK(gaussian);
    // Adding a constant to all logits changes nothing, so the vector of ones is an eigenvector.
    double first = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < kClasses; ++k) {
      double sum = 0.0;
      for (std::size_t l = 0; l < kClasses; ++l) {
        sum += gaussian->covariance[k * kClasses + l];
        largest =
            k == l ? largest : std::max(largest, std::abs(gaussian->covariance[k * kClasses + l]));
      }
      first = k == 0 ? sum : first;
      EXPECT_TRUE(closeTo(sum, first, 1e-3)) << structure;
    }
    EXPECT_GT(largest, 1e-4) << structure;
  }
}

TEST_F(ItemGaussian, WhatCannotBeReadIsSaid) {
  const ModelPtr model = flat();
  const auto method = fitted(model, with("kron", "probit"));
  ASSERT_OK(method);
  test_->breakItem(2);
  const auto gaussian = gaussianOf(model, 2, *method);
  ASSERT_FALSE(gaussian);
  EXPECT_EQ(gaussian.error().code, ErrorCode::kReadFailed);
  EXPECT_THROW(static_cast<void>(gaussianOf(model, 2, LaplaceOptions())), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
