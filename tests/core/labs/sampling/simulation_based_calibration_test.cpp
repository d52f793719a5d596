// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/labs/sampling/hmc.h"
#include "tests/core/labs/sampling/chain_runs.h"
#include "tests/core/labs/sampling/linear_model.h"

namespace dubito {
namespace {

constexpr std::uint64_t kSeed = 20240607;
constexpr std::size_t kParameters = 2;
constexpr std::size_t kItems = 10;
constexpr std::size_t kDraws = 19;
constexpr std::int64_t kThinning = 5;

/// Rank of each true parameter among thinned draws of HMC, given data made from it.
std::vector<std::size_t> ranksOfSimulation(std::uint64_t simulation) {
  std::vector<double> truth(kParameters);
  KeyedRandom(kSeed, LabSite::kInitialWeights, simulation).normals(0, truth);
  std::vector<double> noise(kItems);
  KeyedRandom(kSeed, LabSite::kDataNoise, simulation).normals(0, noise);
  std::vector<std::vector<double>> phi(kItems, std::vector<double>(kParameters));
  std::vector<double> y(kItems);
  for (std::size_t n = 0; n < kItems; ++n) {
    KeyedRandom(kSeed, LabSite::kDataInputs, simulation)
        .normals(static_cast<std::uint32_t>(n), phi[n]);
    y[n] = phi[n][0] * truth[0] + phi[n][1] * truth[1] + 0.7 * noise[n];
  }
  const auto posterior = std::make_shared<DataPosterior>(
      std::make_shared<test::LinearModel>(phi, y, 0.49), std::vector<double>(kParameters, 1.0));
  const HmcOptions options{.leapfrog_steps = 6, .warm_up = 150};
  HmcChain chain(posterior, options, {0.0, 0.0}, kSeed, simulation);
  for (int i = 0; i < 150; ++i) {
    chain.advance(nullptr);
  }
  std::vector<std::size_t> ranks(kParameters);
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    for (std::int64_t i = 0; i < kThinning; ++i) {
      chain.advance(nullptr);
    }
    for (std::size_t d = 0; d < kParameters; ++d) {
      ranks[d] += chain.position()[d] < truth[d] ? 1 : 0;
    }
  }
  return ranks;
}

// Talts et al. 2018: if the sampler is right, the ranks are uniform on 0 .. kDraws.
TEST(SimulationBasedCalibration, RanksOfHmcAreUniform) {
  constexpr std::int64_t kSimulations = 2000;
  std::vector<std::vector<std::size_t>> ranks(kSimulations);
  RunContext context;
  context.threads = 2;
  context.parallelFor(kSimulations, 50, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      ranks[static_cast<std::size_t>(i)] = ranksOfSimulation(static_cast<std::uint64_t>(i));
    }
  });
  for (std::size_t d = 0; d < kParameters; ++d) {
    std::vector<double> counts(kDraws + 1);
    for (const auto& of_simulation : ranks) {
      counts[of_simulation[d]] += 1.0;
    }
    const double expected = static_cast<double>(kSimulations) / (kDraws + 1);
    double chi_square = 0.0;
    for (const double count : counts) {
      chi_square += (count - expected) * (count - expected) / expected;
    }
    std::cout << "chi-square of parameter " << d << ": " << chi_square << "\n";
    // The 99.9 % quantile with 19 degrees of freedom.
    EXPECT_LT(chi_square, 43.82) << d;
  }
}

}  // namespace
}  // namespace dubito
