// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/laplace_bridge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/kernels/covariance_reader.h"
#include "core/kernels/logit_covariance.h"
#include "core/kernels/probit.h"
#include "core/measures/dirichlet.h"
#include "core/measures/probit.h"
#include "tests/core/kernels/logit_gaussian_samples.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using test::randomDiagonal;
using test::randomFactored;
using test::randomFull;

constexpr BridgeVariant kAll[] = {BridgeVariant::kCentred, BridgeVariant::kConditioned,
                                  BridgeVariant::kNormalised, BridgeVariant::kRaw};

/// The double version for the same float32 inputs. Near zero log alpha has no relative digits.
void expectAsPlain(const LogitGaussians& gaussians, const std::string& what) {
  const CovarianceReader reader(gaussians);
  CovarianceSums sums;
  for (const BridgeVariant variant : kAll) {
    const Array<float> log_alpha = laplaceBridge(gaussians, variant, RunContext());
    ASSERT_EQ(log_alpha.shape(), gaussians.mean.shape());
    for (std::int64_t row = 0; row < gaussians.mean.extent(0); ++row) {
      reader.read(row, sums);
      const auto mean = gaussians.mean.row(row);
      const std::vector<double> plain =
          bridgeLogAlpha(std::vector<double>(mean.begin(), mean.end()), sums, variant);
      for (std::size_t k = 0; k < plain.size(); ++k) {
        ASSERT_TRUE(closeTo(log_alpha.row(row)[k], plain[k], 1e-6, 1e-5))
            << what << ", " << bridgeVariantName(variant) << ", row " << row << ", class " << k;
      }
    }
  }
}

TEST(LaplaceBridgeKernel, AgreesWithThePlainVersion) {
  for (const std::int64_t classes : {2, 3, 4, 7, 10, 16, 17, 33, 100, 1000}) {
    const std::int64_t items = classes == 1000 ? 19 : 101;
    const std::string what = std::to_string(classes) + " classes";
    expectAsPlain(randomDiagonal(items, classes, 3.0F, 1.0F, 1), "diagonal, " + what);
    if (classes <= 100) {
      expectAsPlain(randomFactored(items, classes, classes, true, 3.0F, 2), "factored, " + what);
      expectAsPlain(randomFactored(items, classes, 5, false, 3.0F, 3), "one scale, " + what);
      expectAsPlain(randomFull(items / 5, classes, classes, 3.0F, 4), "full, " + what);
      expectAsPlain(randomFull(items / 5, classes, 2, 3.0F, 5), "singular, " + what);
    }
  }
  // More columns than are summed at a time.
  expectAsPlain(randomFactored(37, 130, 150, true, 3.0F, 6), "150 columns");
}

TEST(LaplaceBridgeKernel, AgreesWithThePlainVersionAtTheExtremes) {
  for (const float gap : {0.0F, 88.0F, 500.0F, 1e4F}) {
    for (const float variance : {0.0F, 1e-30F, 1e-8F, 1.0F, 1e6F}) {
      for (const std::int64_t classes : {2, 3, 10, 40}) {
        LogitGaussians gaussians = randomDiagonal(20, classes, 2.0F, variance, 6);
        for (std::int64_t row = 0; row < 20; ++row) {
          gaussians.mean.mutableRow(row)[static_cast<std::size_t>(row % classes)] += gap;
        }
        expectAsPlain(gaussians,
                      "gap " + std::to_string(gap) + ", variance " + std::to_string(variance));
      }
    }
  }
}

TEST(LaplaceBridgeKernel, AgreesWithTheReference) {
  const nlohmann::json vectors = test::readVectors("special");
  ASSERT_FALSE(vectors.at("bridge").empty());
  for (const nlohmann::json& item : vectors.at("bridge")) {
    const auto mean = item.at("mu").get<std::vector<float>>();
    const auto classes = static_cast<std::int64_t>(mean.size());
    std::vector<float> variance;
    if (item.at("cov").is_array()) {
      for (std::size_t k = 0; k < mean.size(); ++k) {
        variance.push_back(item.at("cov").at(k).at(k).get<float>());
      }
    } else {
      variance = item.at("cov_diag").get<std::vector<float>>();
    }
    const LogitGaussians gaussians{
        Array<float>::fromVector({1, classes}, mean),
        DiagonalCovariance{Array<float>::fromVector({1, classes}, variance)}};
    for (const BridgeVariant variant : kAll) {
      std::string key(bridgeVariantName(variant));
      std::replace(key.begin(), key.end(), '-', '_');
      const Array<float> log_alpha = laplaceBridge(gaussians, variant, RunContext());
      for (std::size_t k = 0; k < mean.size(); ++k) {
        EXPECT_TRUE(closeTo(log_alpha.data()[k],
                            item.at("log_alpha_diagonal").at(key).at(k).get<double>(), 1e-5, 1e-4))
            << key << k << " of " << classes;
      }
    }
  }
}

TEST(LaplaceBridgeKernel, TheSameCovarianceInEveryFormGivesTheSame) {
  const std::int64_t items = 30;
  const std::int64_t classes = 6;
  const LogitGaussians factored = randomFactored(items, classes, 4, true, 2.0F, 7);
  const auto& parts = std::get<FactoredCovariance>(factored.covariance);
  Array<float> full = Array<float>::zeros({items, classes, classes});
  for (std::int64_t row = 0; row < items; ++row) {
    for (std::int64_t k = 0; k < classes; ++k) {
      for (std::int64_t l = 0; l < classes; ++l) {
        double sum = 0.0;
        for (std::int64_t r = 0; r < 4; ++r) {
          sum += double{parts.factor.data()[k * 4 + r]} * double{parts.factor.data()[l * 4 + r]} *
                 double{parts.scale.data()[row * 4 + r]};
        }
        full.mutableData()[(row * classes + k) * classes + l] = static_cast<float>(sum);
      }
    }
  }
  const LogitGaussians as_full{factored.mean, FullCovariance{full}};
  for (const BridgeVariant variant : kAll) {
    const Array<float> a = laplaceBridge(factored, variant, RunContext());
    const Array<float> b = laplaceBridge(as_full, variant, RunContext());
    for (std::int64_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(closeTo(a.data()[i], b.data()[i], 1e-4, 1e-4)) << bridgeVariantName(variant);
    }
  }
  const Array<double> probit_of_factored = probitProbs(factored, RunContext());
  const Array<double> probit_of_full = probitProbs(as_full, RunContext());
  for (std::int64_t i = 0; i < probit_of_full.size(); ++i) {
    EXPECT_NEAR(probit_of_factored.data()[i], probit_of_full.data()[i], 1e-6);
  }
}

TEST(LaplaceBridgeKernel, DoesNotDependOnThreadsOrOnTheOtherItems) {
  for (const std::int64_t classes : {3, 10, 50}) {
    const LogitGaussians all = randomDiagonal(40'003, classes, 3.0F, 1.0F, 8);
    const auto& variance = std::get<DiagonalCovariance>(all.covariance).variance;
    RunContext several;
    several.threads = 4;
    for (const BridgeVariant variant : kAll) {
      const Array<float> alone = laplaceBridge(all, variant, RunContext());
      EXPECT_TRUE(
          std::ranges::equal(laplaceBridge(all, variant, several).values(), alone.values()));
      for (const std::int64_t begin : {0, 1, 7, 39'990}) {
        const LogitGaussians part{all.mean.slice(begin, begin + 13),
                                  DiagonalCovariance{variance.slice(begin, begin + 13)}};
        EXPECT_TRUE(std::ranges::equal(laplaceBridge(part, variant, RunContext()).values(),
                                       alone.slice(begin, begin + 13).values()));
      }
    }
  }
}

TEST(LaplaceBridgeKernel, RowsOfAFactorDoNotDependOnTheOtherItemsEither) {
  const LogitGaussians all = randomFactored(1003, 70, 80, true, 3.0F, 12);
  const auto& parts = std::get<FactoredCovariance>(all.covariance);
  RunContext several;
  several.threads = 4;
  const Array<float> alone = laplaceBridge(all, BridgeVariant::kCentred, RunContext());
  const Array<float> variance = logitVariance(all, RunContext());
  EXPECT_TRUE(std::ranges::equal(laplaceBridge(all, BridgeVariant::kCentred, several).values(),
                                 alone.values()));
  for (const std::int64_t begin : {0, 1, 6, 990}) {
    const LogitGaussians part{
        all.mean.slice(begin, begin + 13),
        FactoredCovariance{parts.factor, parts.scale.slice(begin, begin + 13)}};
    EXPECT_TRUE(
        std::ranges::equal(laplaceBridge(part, BridgeVariant::kCentred, RunContext()).values(),
                           alone.slice(begin, begin + 13).values()));
    EXPECT_TRUE(std::ranges::equal(logitVariance(part, several).values(),
                                   variance.slice(begin, begin + 13).values()));
  }
}

TEST(LaplaceBridgeKernel, MomentsAgreeWithTheReferenceAtAnyAlpha) {
  for (const float spread : {0.1F, 3.0F, 40.0F, 400.0F}) {
    for (const float centre : {-20.0F, 0.0F, 60.0F, 600.0F}) {
      for (const std::int64_t classes : {2, 3, 10, 37}) {
        LogitGaussians gaussians = randomDiagonal(40, classes, spread, 1.0F, 9);
        for (float& value : gaussians.mean.mutableValues()) {
          value += centre;
        }
        const Array<float>& log_alpha = gaussians.mean;
        const DirichletMoments moments = dirichletMoments(log_alpha, RunContext());
        for (std::int64_t i = 0; i < 40; ++i) {
          const DirichletSummary expected = summariseDirichlet(
              alphaFromLog(std::vector<double>(log_alpha.row(i).begin(), log_alpha.row(i).end())));
          SCOPED_TRACE(testing::Message() << spread << " " << centre << " " << classes);
          EXPECT_TRUE(closeTo(moments.entropy.data()[i], expected.entropy_of_mean, 1e-9, 1e-290));
          EXPECT_TRUE(
              closeTo(moments.expected_entropy.data()[i], expected.expected_entropy, 1e-9, 1e-290));
          EXPECT_TRUE(closeTo(moments.mutual_information.data()[i], expected.mutual_information,
                              1e-9, 1e-290));
          for (std::size_t k = 0; k < expected.mean.size(); ++k) {
            EXPECT_TRUE(closeTo(moments.mean_probs.row(i)[k], expected.mean[k], 1e-9, 1e-290));
          }
        }
      }
    }
  }
}

TEST(LaplaceBridgeKernel, ProbitAgreesWithThePlainVersion) {
  const LogitGaussians gaussians = randomDiagonal(50, 7, 4.0F, 3.0F, 10);
  const Array<double> probs = probitProbs(gaussians, RunContext());
  const auto& variance = std::get<DiagonalCovariance>(gaussians.covariance).variance;
  for (std::int64_t i = 0; i < 50; ++i) {
    const auto mean = gaussians.mean.row(i);
    const std::vector<double> expected =
        probit(std::vector<double>(mean.begin(), mean.end()),
               std::vector<double>(variance.row(i).begin(), variance.row(i).end()));
    for (std::size_t k = 0; k < 7; ++k) {
      EXPECT_TRUE(closeTo(probs.row(i)[k], expected[k], 1e-12));
    }
  }
}

TEST(LaplaceBridgeKernel, ProbitOfTwoClassesIsMacKays) {
  // Against the exact mean of the sigmoid by integration over the difference of the logits.
  const auto exact = [](double mean, double variance) {
    double sum = 0.0;
    double mass = 0.0;
    for (int i = -4000; i <= 4000; ++i) {
      const double z = i / 500.0;
      const double weight = std::exp(-0.5 * z * z);
      sum += weight / (1.0 + std::exp(-(mean + std::sqrt(variance) * z)));
      mass += weight;
    }
    return sum / mass;
  };
  double worst = 0.0;
  double worst_of_variances = 0.0;
  for (const double correlation : {-0.9, 0.0, 0.5, 0.95}) {
    for (const double deviation : {0.5, 1.0, 2.0}) {
      for (const double gap : {0.3, 1.0, 2.5}) {
        const auto variance = static_cast<float>(deviation * deviation);
        const auto covariance = static_cast<float>(correlation * deviation * deviation);
        const LogitGaussians gaussians{
            Array<float>::fromVector({1, 2}, {static_cast<float>(0.5 * gap + 7.0),
                                              static_cast<float>(-0.5 * gap + 7.0)}),
            FullCovariance{
                Array<float>::fromVector({1, 2, 2}, {variance, covariance, covariance, variance})}};
        const double truth = exact(gap, 2.0 * (double{variance} - double{covariance}));
        const auto probs = probitProbs(gaussians, RunContext());
        EXPECT_NEAR(probs.row(0)[0] + probs.row(0)[1], 1.0, 1e-12);
        worst = std::max(worst, std::abs(probs.row(0)[0] - truth));
        const std::vector<double> of_variances =
            probit(std::vector<double>{0.5 * gap, -0.5 * gap},
                   std::vector<double>{double{variance}, double{variance}});
        worst_of_variances = std::max(worst_of_variances, std::abs(of_variances[0] - truth));
      }
    }
  }
  // MacKay's approximation is good to 0.02 everywhere; ignoring the covariance is not.
  EXPECT_LT(worst, 0.02);
  EXPECT_GT(worst_of_variances, 0.05);
}

TEST(LaplaceBridgeKernel, AcceptsNoItemsAndRefusesOtherShapes) {
  const RunContext context;
  const auto zeros = [](std::vector<std::int64_t> shape) { return Array<float>::zeros(shape); };
  const LogitGaussians none{zeros({0, 4}), DiagonalCovariance{zeros({0, 4})}};
  EXPECT_EQ(laplaceBridge(none, BridgeVariant::kCentred, context).extent(1), 4);
  EXPECT_EQ(dirichletMoments(zeros({0, 4}), context).entropy.size(), 0);
  EXPECT_EQ(probitProbs(none, context).size(), 0);
  for (const LogitGaussians& wrong :
       {LogitGaussians{zeros({3, 1}), DiagonalCovariance{zeros({3, 1})}},
        LogitGaussians{zeros({12}), DiagonalCovariance{zeros({12})}},
        LogitGaussians{zeros({3, 4}), DiagonalCovariance{zeros({4, 3})}},
        LogitGaussians{zeros({3, 4}), FullCovariance{zeros({3, 4})}},
        LogitGaussians{zeros({3, 4}), FactoredCovariance{zeros({4, 2}), zeros({3, 4})}},
        LogitGaussians{zeros({3, 4}), FactoredCovariance{zeros({2, 4}), zeros({3, 4})}}}) {
    EXPECT_THROW(static_cast<void>(laplaceBridge(wrong, BridgeVariant::kCentred, context)),
                 std::invalid_argument);
    EXPECT_THROW(static_cast<void>(logitVariance(wrong, context)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(probitProbs(wrong, context)), std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(dirichletMoments(zeros({3, 1}), context)), std::invalid_argument);
}

TEST(LaplaceBridgeKernel, WhatIsNotANumberShowsInItsItemAlone) {
  for (const std::int64_t classes : {4, 40}) {
    LogitGaussians gaussians = randomDiagonal(20, classes, 1.0F, 1.0F, 11);
    gaussians.mean.mutableRow(5)[2] = std::numeric_limits<float>::quiet_NaN();
    std::get<DiagonalCovariance>(gaussians.covariance).variance.mutableRow(17)[1] =
        std::numeric_limits<float>::quiet_NaN();
    const Array<float> log_alpha = laplaceBridge(gaussians, BridgeVariant::kCentred, RunContext());
    for (std::int64_t i = 0; i < 20; ++i) {
      EXPECT_EQ(std::ranges::any_of(log_alpha.row(i), [](float v) { return std::isnan(v); }),
                i == 5 || i == 17);
    }
  }
}

TEST(LaplaceBridgeKernel, StopsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const LogitGaussians gaussians = randomDiagonal(20, 3, 1.0F, 1e-3F, 12);
  EXPECT_EQ(laplaceBridge(gaussians, BridgeVariant::kRaw, context).data()[59], 0.0F);
}

}  // namespace
}  // namespace dubito
