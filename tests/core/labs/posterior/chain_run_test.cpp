// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/chain_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace dubito {
namespace {

/// Its states are (number of the chain, number of the transition).
class CountingChain : public MarkovChain {
 public:
  explicit CountingChain(double number) : position_{number, 0.0} {}
  Transition advance(TransitionPath* /*path*/) override {
    position_[1] += 1.0;
    return {.accepted = true, .acceptance = 1.0};
  }
  [[nodiscard]] std::span<const double> position() const override { return position_; }
  [[nodiscard]] double logDensity() const override { return 0.0; }
  [[nodiscard]] double stepSize() const override { return 1.0; }
  [[nodiscard]] std::int64_t done() const override {
    return static_cast<std::int64_t>(position_[1]);
  }

 private:
  std::array<double, 2> position_;
};

/// `chains` chains with `draws` transitions, all kept; `output` is what is compared of a state.
ChainRun finishedRun(std::int64_t chains, std::int64_t draws,
                     const std::function<double(std::span<const double>)>& output) {
  std::vector<std::unique_ptr<MarkovChain>> all;
  for (std::int64_t c = 0; c < chains; ++c) {
    all.push_back(std::make_unique<CountingChain>(static_cast<double>(c)));
  }
  ChainRun run({.run = {.chains = chains, .draws = draws, .kept = draws},
                .compared = {"at x = 0"},
                .outputs = [output](std::span<const double> state,
                                    std::span<double> outputs) { outputs[0] = output(state); }},
               std::move(all));
  RunContext context;
  EXPECT_TRUE(run.advance(draws, context));
  return run;
}

double nothing(std::span<const double> /*state*/) {
  return 0.0;
}

TEST(ChainRun, AnyFirstFewStatesAreOfDifferentChainsAndFarApart) {
  for (const std::int64_t chains : {2, 3, 4, 7}) {
    const ChainRun run = finishedRun(chains, 250, nothing);
    for (const std::int64_t count : {8, 20, 100, 250}) {
      const Array<double> states = run.states(count);
      ASSERT_EQ(states.extent(0), count);
      std::set<double> first;
      std::vector<double> of_chain_0;
      for (std::int64_t i = 0; i < 8; ++i) {
        first.insert(states.row(i)[0]);
        if (states.row(i)[0] == 0.0) {
          of_chain_0.push_back(states.row(i)[1]);
        }
      }
      EXPECT_EQ(std::ssize(first), std::min<std::int64_t>(chains, 8)) << chains << " " << count;
      // The second state of a chain is about half the run away from its first one.
      if (of_chain_0.size() > 1) {
        EXPECT_GT(std::abs(of_chain_0[1] - of_chain_0[0]), 60.0) << chains << " " << count;
      }
    }
  }
}

TEST(ChainRun, StatesAreEvenlyFromAllChains) {
  const ChainRun run = finishedRun(4, 50, nothing);
  for (const std::int64_t count : {1, 3, 10, 100, 150, 200, 1000}) {
    const Array<double> states = run.states(count);
    const std::int64_t expected = std::min<std::int64_t>(count, 200);
    ASSERT_EQ(states.extent(0), expected);
    std::set<std::pair<double, double>> distinct;
    std::array<std::int64_t, 4> of_chain{};
    for (std::int64_t i = 0; i < expected; ++i) {
      distinct.insert({states.row(i)[0], states.row(i)[1]});
      ++of_chain.at(static_cast<std::size_t>(states.row(i)[0]));
    }
    EXPECT_EQ(std::ssize(distinct), expected) << count;
    EXPECT_LE(std::ranges::max(of_chain) - std::ranges::min(of_chain), 1) << count;
  }
}

TEST(ChainRun, HasConvergedIfTheChainsAgree) {
  // A hash of chain and transition: independent values.
  const auto noise = [](std::span<const double> state) {
    const double value = std::sin(state[1] * 12.9898 + state[0] * 78.233) * 43758.5453;
    return value - std::floor(value);
  };
  const LabDiagnostics agreeing = finishedRun(4, 1000, noise).diagnostics();
  EXPECT_TRUE(agreeing.converged);
  EXPECT_TRUE(agreeing.warnings.empty());
  // A chain that lies apart by a third of the standard deviation: R-hat between 1.01 and 1.05.
  const auto apart = [&noise](std::span<const double> state) {
    return noise(state) + (state[0] == 0.0 ? 0.1 : 0.0);
  };
  const LabDiagnostics disagreeing = finishedRun(4, 1000, apart).diagnostics();
  const auto rhat = std::ranges::find(disagreeing.numbers, "rhat", &LabDiagnostic::key)->value;
  EXPECT_GT(rhat, 1.01);
  EXPECT_LT(rhat, 1.05);
  EXPECT_FALSE(disagreeing.converged);
  ASSERT_EQ(disagreeing.warnings.size(), 1U);
  EXPECT_NE(disagreeing.warnings[0].find("R-hat of the prediction at x = 0 is 1.0"),
            std::string::npos);
  EXPECT_NE(disagreeing.warnings[0].find("at most 1.01 for results"), std::string::npos);
  // Too few states.
  const LabDiagnostics few = finishedRun(4, 50, noise).diagnostics();
  EXPECT_FALSE(few.converged);
}

}  // namespace
}  // namespace dubito
