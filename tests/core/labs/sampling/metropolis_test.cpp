// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/metropolis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/labs/sampling/chain_runs.h"

namespace dubito {
namespace {

/// Triangular density on [0, 1], p(q) = 2 q.
class Triangle : public LogDensity {
 public:
  [[nodiscard]] std::int64_t dimension() const override { return 1; }
  double evaluate(std::span<const double> q, std::span<double> /*gradient*/) const override {
    return q[0] > 0.0 && q[0] < 1.0 ? std::log(q[0]) : -std::numeric_limits<double>::infinity();
  }
};

test::Chains metropolisChains(const MetropolisOptions& options, std::uint64_t seed,
                              std::size_t count) {
  test::Chains chains;
  for (std::size_t chain = 0; chain < count; ++chain) {
    chains.push_back(std::make_unique<MetropolisChain>(std::make_shared<Triangle>(), options,
                                                       std::vector<double>{0.5}, seed, chain));
  }
  return chains;
}

constexpr std::size_t kCells = 4;

std::size_t cellOf(double q) {
  return std::min(kCells - 1, static_cast<std::size_t>(q * static_cast<double>(kCells)));
}

TEST(Metropolis, HasDetailedBalance) {
  const MetropolisOptions options{.step_size = 0.4, .adapt = false, .warm_up = 100};
  const test::ChainRuns runs = test::runChains(metropolisChains(options, 11, 4), 100, 100000);
  std::array<std::array<double, kCells>, kCells> flow{};
  std::array<double, kCells> share{};
  double total = 0.0;
  for (std::int64_t c = 0; c < 4; ++c) {
    const auto states = runs.states.row(c);
    for (std::size_t i = 1; i < states.size(); ++i) {
      flow[cellOf(states[i - 1])][cellOf(states[i])] += 1.0;
      share[cellOf(states[i])] += 1.0;
      total += 1.0;
    }
  }
  for (std::size_t a = 0; a < kCells; ++a) {
    // P(cell a) = ((a+1)^2 - a^2) / kCells^2; a chain needs about ten transitions to forget.
    const double exact = static_cast<double>(2 * a + 1) / static_cast<double>(kCells * kCells);
    EXPECT_NEAR(share[a] / total, exact, 4.0 * std::sqrt(10.0 * exact / total)) << a;
    for (std::size_t b = a + 1; b < kCells; ++b) {
      const double both = flow[a][b] + flow[b][a];
      ASSERT_GT(both, 1000.0);
      EXPECT_LT(std::abs(flow[a][b] - flow[b][a]), 3.5 * std::sqrt(both)) << a << " " << b;
    }
  }
}

TEST(Metropolis, AdaptsToTheTargetAcceptance) {
  for (const double first_guess : {1e-3, 10.0}) {
    const MetropolisOptions options{
        .step_size = first_guess, .target_acceptance = 0.44, .warm_up = 1000};
    const test::ChainRuns runs = test::runChains(metropolisChains(options, 2, 4), 1000, 4000);
    for (const ChainStatistics& statistics : runs.statistics) {
      EXPECT_NEAR(statistics.acceptance(), 0.44, 0.06) << first_guess;
      EXPECT_EQ(statistics.divergences(), 0);
    }
  }
}

TEST(Metropolis, ReturnsTheProposalOfATransition) {
  const MetropolisOptions options{.step_size = 0.4, .adapt = false, .warm_up = 0};
  MetropolisChain chain(std::make_shared<Triangle>(), options, {0.5}, 1, 0);
  for (int i = 0; i < 20; ++i) {
    const double before = chain.position()[0];
    TransitionPath path;
    const Transition transition = chain.advance(&path);
    ASSERT_EQ(path.points.size(), 2U);
    EXPECT_EQ(path.points[0], before);
    EXPECT_EQ(chain.position()[0], transition.accepted ? path.points[1] : before);
    EXPECT_EQ(transition.energy, -chain.logDensity());
  }
}

TEST(Metropolis, DoesNotDependOnThreadsOrCalls) {
  const MetropolisOptions options{.warm_up = 50};
  const auto states = [&](int threads, std::int64_t per_call) {
    return test::runChains(metropolisChains(options, 9, 4), 50, 100, threads, per_call).states;
  };
  const Array<double> reference = states(1, 1000);
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 1000).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 13).values()));
}

}  // namespace
}  // namespace dubito
