// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sgld.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "core/labs/sampling/chain_diagnostics.h"
#include "tests/core/labs/sampling/chain_runs.h"
#include "tests/core/labs/sampling/linear_model.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

/// Reports a larger number of items than the likelihood has, as in the vectors: 5 of 50.
class Repeated : public ItemLikelihood {
 public:
  Repeated(const ItemLikelihood& likelihood, std::int64_t items)
      : likelihood_(likelihood), items_(items) {}
  [[nodiscard]] std::int64_t dimension() const override { return likelihood_.dimension(); }
  [[nodiscard]] std::int64_t items() const override { return items_; }
  double evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                  std::span<double> gradient, std::span<double> squared) const override {
    return likelihood_.evaluate(q, items, gradient, squared);
  }

 private:
  const ItemLikelihood& likelihood_;
  std::int64_t items_;
};

TEST(Sgld, StepMatchesTheReferenceVector) {
  const nlohmann::json vectors = test::readVectors("labs").at("sgld");
  const auto model = test::linearModelOfVectors();
  const DataPosterior of_fifty(std::make_shared<Repeated>(model->likelihood(), 50),
                               {model->priorPrecision().begin(), model->priorPrecision().end()});
  std::vector<double> w = vectors.at("w");
  const std::vector<double> xi = vectors.at("xi");
  const std::vector<std::int64_t> items{0, 1, 2, 3, 4};
  std::vector<double> gradient(3);
  of_fifty.gradientOfBatch(w, items, gradient);
  sgldStep(w, gradient, xi, 0.01);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_TRUE(test::closeTo(w[d], vectors.at("next")[d], 1e-9)) << d;
  }
}

TEST(Sgld, StepSizesDecayAsAPolynomial) {
  const SgldOptions options{.step_size = 0.1, .decay = 0.5, .delay = 10.0};
  EXPECT_DOUBLE_EQ(options.stepSizeAt(0), 0.1);
  EXPECT_DOUBLE_EQ(options.stepSizeAt(30), 0.05);
  EXPECT_DOUBLE_EQ((SgldOptions{.step_size = 0.1, .decay = 0.0}).stepSizeAt(1000), 0.1);
}

TEST(Sgld, MeetsTheKnownVarianceOfItsOwnError) {
  // With a constant step and the exact gradient, a Gaussian with precision t gives the variance
  // 1/(t (1 - step t/4)) instead of 1/t.
  const auto density = std::make_shared<test::GaussianDensity>(
      test::Gaussian{{1.0, -2.0}, {{1.0, 0.0}, {0.0, 0.25}}});
  for (const double step : {0.4, 0.05}) {
    const SgldOptions options{.step_size = step, .decay = 0.0, .warm_up = 500};
    test::Chains chains;
    for (std::uint64_t chain = 0; chain < 4; ++chain) {
      chains.push_back(std::make_unique<SgldChain>(exactGradient(density), options,
                                                   std::vector<double>{0.0, 0.0}, 3, chain));
    }
    const test::ChainRuns runs = test::runChains(chains, 500, 40000);
    const std::vector<double> means{1.0, -2.0};
    const std::vector<double> precisions{1.0, 4.0};
    for (std::size_t d = 0; d < 2; ++d) {
      const Array<double> values = runs.scalars([&](auto q) { return q[d] - means[d]; });
      const Array<double> squares =
          runs.scalars([&](auto q) { return std::pow(q[d] - means[d], 2); });
      const auto meanOf = [](const Array<double>& all) {
        return std::accumulate(all.values().begin(), all.values().end(), 0.0) /
               static_cast<double>(all.size());
      };
      const double variance = 1.0 / (precisions[d] * (1.0 - 0.25 * step * precisions[d]));
      EXPECT_NEAR(meanOf(values), 0.0, 3.5 * mcseMean(values)) << step;
      EXPECT_NEAR(meanOf(squares), variance, 3.5 * mcseMean(squares)) << step;
    }
  }
}

TEST(Sgld, WithBatchesIsNearThePosterior) {
  const auto model = test::linearModelOfVectors();
  const test::Gaussian exact = test::exactPosteriorOfVectors();
  const SgldOptions options{.step_size = 0.002, .decay = 0.0, .batch = 2, .warm_up = 5000};
  test::Chains chains;
  for (std::uint64_t chain = 0; chain < 4; ++chain) {
    chains.push_back(std::make_unique<SgldChain>(batchGradient(model, options.batch, 8, chain),
                                                 options, std::vector<double>(3), 8, chain));
  }
  const test::ChainRuns runs = test::runChains(chains, 5000, 100000);
  for (std::size_t d = 0; d < 3; ++d) {
    const Array<double> squares =
        runs.scalars([&](auto q) { return std::pow(q[d] - exact.mean[d], 2); });
    const Array<double> values = runs.scalars([&](auto q) { return q[d]; });
    const auto meanOf = [](const Array<double>& all) {
      return std::accumulate(all.values().begin(), all.values().end(), 0.0) /
             static_cast<double>(all.size());
    };
    const double variance = exact.covariance[d][d];
    EXPECT_NEAR(meanOf(values), exact.mean[d], 4.0 * mcseMean(values)) << d;
    // The noise of the gradients adds variance of the order of the step.
    EXPECT_NEAR(meanOf(squares) / variance, 1.0, 0.1) << d;
  }
}

TEST(Sgld, BatchesOfAPassAreDisjoint) {
  const auto model = test::linearModelOfVectors();
  const auto source = batchGradient(model, 1, 4, 0);
  const std::vector<double> q{0.3, -0.2, 0.5};
  std::vector<double> gradient(3);
  for (std::int64_t pass = 0; pass < 3; ++pass) {
    std::vector<double> sum(3);
    for (std::int64_t i = 0; i < 5; ++i) {
      source->estimate(q, 5 * pass + i, gradient);
      for (std::size_t d = 0; d < 3; ++d) {
        sum[d] += gradient[d] / 5.0;
      }
    }
    std::vector<double> exact(3);
    model->evaluate(q, exact);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_TRUE(test::closeTo(sum[d], exact[d], 1e-12)) << pass;
    }
  }
}

TEST(Sgld, ReportsDivergence) {
  const SgldOptions options{.step_size = 1000.0, .decay = 0.0, .warm_up = 0};
  const auto density =
      std::make_shared<test::GaussianDensity>(test::Gaussian{{0.0, 0.0}, {{1.0, 0.0}, {0.0, 1.0}}});
  SgldChain chain(exactGradient(density), options, {1.0, 1.0}, 1, 0);
  ChainStatistics statistics;
  for (int i = 0; i < 300; ++i) {
    statistics.add(chain.advance(nullptr));
  }
  EXPECT_GT(statistics.divergences(), 0);
  EXPECT_TRUE(std::isfinite(chain.position()[0]));
}

TEST(Sgld, DoesNotDependOnThreadsOrCalls) {
  const auto model = test::linearModelOfVectors();
  const SgldOptions options{.batch = 2, .warm_up = 10};
  const auto states = [&](int threads, std::int64_t per_call) {
    test::Chains chains;
    for (std::uint64_t chain = 0; chain < 3; ++chain) {
      chains.push_back(std::make_unique<SgldChain>(batchGradient(model, options.batch, 8, chain),
                                                   options, std::vector<double>(3), 8, chain));
    }
    return test::runChains(chains, 10, 100, threads, per_call).states;
  };
  const Array<double> reference = states(1, 1000);
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 1000).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 7).values()));
}

}  // namespace
}  // namespace dubito
