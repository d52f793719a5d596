// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/link.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/measures/dirichlet.h"
#include "core/measures/entropy.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/measures.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const std::vector<std::int64_t> kIds = {5, 900};

LogitGaussians twoItems() {
  return {Array<float>::fromVector({2, 3}, {1.0F, -0.5F, 0.25F, 3.0F, 0.0F, -90.0F}),
          DiagonalCovariance{
              Array<float>::fromVector({2, 3}, {0.5F, 1.5F, 0.75F, 2.0F, 0.125F, 4.0F})}};
}

LinkedPredictions link(const std::string& name, std::int64_t samples = 64) {
  return applyLink(name, twoItems(), kIds, samples, 3, RunContext());
}

TEST(Link, EveryLinkGivesDistributionsAndTheirEntropies) {
  for (const std::string& name : linkNames()) {
    const LinkedPredictions linked = link(name);
    ASSERT_EQ(linked.probs.shape(), (std::vector<std::int64_t>{2, 3})) << name;
    EXPECT_EQ(linked.expected_entropy.has_value(), linkSplitsEntropy(name)) << name;
    EXPECT_EQ(linked.mutual_information.has_value(), linkSplitsEntropy(name)) << name;
    EXPECT_EQ(linked.alpha.has_value(), linkGivesAlpha(name)) << name;
    for (std::int64_t i = 0; i < 2; ++i) {
      const auto row = linked.probs.row(i);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-9) << name;
      EXPECT_TRUE(closeTo(linked.entropy.data()[i], entropyOf(row), 1e-6, 1e-9)) << name;
      EXPECT_TRUE(closeTo(linked.log_rest.data()[i], logRest(row, argmax(row)), 1e-12)) << name;
      if (linkSplitsEntropy(name)) {
        EXPECT_NEAR(linked.expected_entropy->data()[i] + linked.mutual_information->data()[i],
                    linked.entropy.data()[i], 1e-6)
            << name;
      }
    }
  }
}

TEST(Link, BridgesCarryTheDirichletOfTheirVariant) {
  for (const char* name : {"bridge-centred", "bridge", "bridge-norm", "bridge-raw"}) {
    const LinkedPredictions linked = link(name);
    const LogitGaussians items = twoItems();
    for (std::int64_t i = 0; i < 2; ++i) {
      const auto variance = std::get<DiagonalCovariance>(items.covariance).variance.row(i);
      const std::vector<double> log_alpha =
          bridgeLogAlpha(std::vector<double>(items.mean.row(i).begin(), items.mean.row(i).end()),
                         sumsOfDiagonal(std::vector<double>(variance.begin(), variance.end())),
                         *bridgeVariantFromName(name));
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_TRUE(closeTo(linked.alpha->row(i)[k], std::exp(log_alpha[k]), 1e-3, 1e-300))
            << name << i << k;
      }
      const DirichletSummary summary = summariseDirichlet(linked.alpha->row(i));
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(linked.probs.row(i)[k], summary.mean[k], 1e-9) << name;
      }
      EXPECT_NEAR(linked.mutual_information->data()[i], summary.mutual_information, 1e-9) << name;
    }
  }
}

TEST(Link, DrawsBelongToItemsAndSeeds) {
  const LinkedPredictions two = link("mc");
  const LogitGaussians items = twoItems();
  const auto& variance = std::get<DiagonalCovariance>(items.covariance).variance;
  const LogitGaussians second{items.mean.slice(1, 2), DiagonalCovariance{variance.slice(1, 2)}};
  const auto alone = [&](std::int64_t id, std::uint64_t seed) {
    return applyLink("mc", second, std::vector{id}, 64, seed, RunContext()).probs.data()[0];
  };
  EXPECT_EQ(alone(900, 3), two.probs.row(1)[0]);
  EXPECT_NE(alone(901, 3), two.probs.row(1)[0]);
  EXPECT_NE(alone(900, 4), two.probs.row(1)[0]);
}

TEST(Link, UnknownNamesThrow) {
  EXPECT_THROW(static_cast<void>(link("bridged")), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
