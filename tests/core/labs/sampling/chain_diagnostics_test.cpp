// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/chain_diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/nan.h"
#include "core/labs/sampling/convergence.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

Array<double> chainsOf(const std::vector<std::vector<double>>& rows) {
  std::vector<double> values;
  for (const auto& row : rows) {
    values.insert(values.end(), row.begin(), row.end());
  }
  return Array<double>::fromVector(
      {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())}, values);
}

/// Autoregressive chains with a coefficient, driven by a formula instead of random numbers. Each
/// chain lies `shift` above the one before.
std::vector<std::vector<double>> autoregressive(std::size_t chains, std::size_t draws, double phi,
                                                double shift = 0.0) {
  std::vector<std::vector<double>> result(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    double x = 0.0;
    for (std::size_t i = 0; i < draws; ++i) {
      const std::size_t hash = (i * i * 7919 + i * 104729 * (c + 1) + c * 611953) % 1009;
      x = phi * x + static_cast<double>(hash) / 1009.0 - 0.5;
      result[c].push_back(x + shift * static_cast<double>(c));
    }
  }
  return result;
}

struct Expected6 {
  double rhat_split, rhat_rank, ess_mean, ess_bulk, ess_tail, mcse_mean;
};

void expectDiagnostics(const Array<double>& chains, const Expected6& expected, const char* name) {
  constexpr double kTolerance = 1e-9;
  EXPECT_TRUE(closeTo(splitRhat(chains), expected.rhat_split, kTolerance)) << name;
  EXPECT_TRUE(closeTo(rankRhat(chains), expected.rhat_rank, kTolerance)) << name;
  EXPECT_TRUE(closeTo(essMean(chains), expected.ess_mean, kTolerance)) << name;
  EXPECT_TRUE(closeTo(essBulk(chains), expected.ess_bulk, kTolerance)) << name;
  EXPECT_TRUE(closeTo(essTail(chains), expected.ess_tail, kTolerance)) << name;
  EXPECT_TRUE(closeTo(mcseMean(chains), expected.mcse_mean, kTolerance)) << name;
}

TEST(ChainDiagnostics, MatchTheReferenceVectors) {
  const nlohmann::json vectors = test::readVectors("labs2").at("chains");
  expectDiagnostics(chainsOf(vectors.at("chains").get<std::vector<std::vector<double>>>()),
                    {vectors.at("rhat_split").get<double>(), vectors.at("rhat_rank").get<double>(),
                     vectors.at("ess_mean").get<double>(), vectors.at("ess_bulk").get<double>(),
                     vectors.at("ess_tail").get<double>(), vectors.at("mcse_mean").get<double>()},
                    "vectors");
}

// Expected values by ArviZ 0.23.4.
TEST(ChainDiagnostics, MatchArvizInUnusualCases) {
  expectDiagnostics(chainsOf(autoregressive(4, 101, 0.9)),
                    {1.0620619553279447, 1.0638006952485723, 49.96037639656627, 49.9877186903239,
                     95.07770814909469, 0.08386143940484046},
                    "slow, odd length");
  expectDiagnostics(chainsOf(autoregressive(2, 64, -0.7)),
                    {0.98764334060889, 0.9906345235967532, 269.72287611492715, 269.72287611492715,
                     139.90806662199412, 0.025831832290865324},
                    "antithetic");
  expectDiagnostics(
      chainsOf(autoregressive(1, 80, 0.5)),
      {kNaN, kNaN, 35.53000730100081, 36.72564327004598, 71.65995525727071, 0.0561904138985824},
      "one chain");
  expectDiagnostics(chainsOf(autoregressive(3, 4, 0.3)),
                    {0.8217628804521371, 0.8844298264843072, 12.9501749525715, 12.9501749525715,
                     12.9501749525715, 0.099010756462459},
                    "4 states");
  expectDiagnostics(chainsOf(autoregressive(2, 5, 0.0)),
                    {0.8512884872979325, 0.8824543669472753, 7.224719895935548, 7.224719895935548,
                     7.224719895935548, 0.14315658103638176},
                    "5 states");
  expectDiagnostics(chainsOf(autoregressive(2, 40, 0.2, 3.0)),
                    {5.694246233901399, 1.848816710974902, 2.5853389445737665, 3.636415599015212,
                     40.226318671290365, 0.964763612568503},
                    "chains apart");
}

TEST(ChainDiagnostics, MatchArvizWithTiesAndConstants) {
  std::vector<std::vector<double>> ties(3);
  for (std::size_t c = 0; c < ties.size(); ++c) {
    for (std::size_t i = 0; i < 50; ++i) {
      ties[c].push_back(static_cast<double>((7 * i * i + 3 * c * i + c) % 11));
    }
  }
  expectDiagnostics(chainsOf(ties),
                    {1.0969515580000877, 1.0999094427221263, 33.15233873362977, 33.42393093624716,
                     150.0, 0.5220551711357361},
                    "ties");
  auto one_constant = autoregressive(2, 30, 0.4);
  one_constant[1].assign(30, 0.25);
  expectDiagnostics(chainsOf(one_constant),
                    {1.19248438298343, 2.2343957719605783, 8.700268688962298, 17.762984144552664,
                     51.85673892554193, 0.0902932451336959},
                    "one chain is constant");
  expectDiagnostics(chainsOf({std::vector<double>(20, 1.0), std::vector<double>(20, 1.0)}),
                    {kNaN, kNaN, 40.0, 40.0, 40.0, 0.0}, "all values are equal");
}

TEST(ChainDiagnostics, AreNanWithoutEnoughOrFiniteValues) {
  const Expected6 none{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  expectDiagnostics(chainsOf(autoregressive(2, 3, 0.1)), none, "3 states");
  auto with_nan = autoregressive(2, 30, 0.4);
  with_nan[1][3] = kNaN;
  expectDiagnostics(chainsOf(with_nan), none, "NaN");
  with_nan[1][3] = INFINITY;
  expectDiagnostics(chainsOf(with_nan), none, "infinite");
  expectDiagnostics(Array<double>(), none, "no chains");
}

TEST(Autocorrelation, IsThatOfAPlainSum) {
  const std::vector<double> values = autoregressive(1, 60, 0.8)[0];
  double mean = 0.0;
  for (const double value : values) {
    mean += value / 60.0;
  }
  const std::vector<double> result = autocorrelation(values, 10);
  ASSERT_EQ(result.size(), 11U);
  for (std::size_t lag = 0; lag < result.size(); ++lag) {
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      squares += (values[i] - mean) * (values[i] - mean);
      if (i + lag < values.size()) {
        products += (values[i] - mean) * (values[i + lag] - mean);
      }
    }
    EXPECT_TRUE(closeTo(result[lag], products / squares, 1e-12, 1e-12)) << lag;
  }
}

TEST(Autocorrelation, OfShortAndConstantChains) {
  EXPECT_TRUE(autocorrelation(std::vector<double>{1.0}, 5).empty());
  EXPECT_EQ(autocorrelation(std::vector<double>{1.0, 2.0}, 5).size(), 2U);
  EXPECT_TRUE(std::isnan(autocorrelation(std::vector<double>(5, 2.0), 1)[1]));
}

TEST(PooledAutocorrelation, StaysAtOneForChainsThatStayWhereTheyAre) {
  // Four chains that move little about places of their own.
  const Array<double> frozen = chainsOf(autoregressive(4, 400, 0.5, 50.0));
  const std::vector<double> pooled = pooledAutocorrelation(frozen, 60);
  ASSERT_EQ(pooled.size(), 61U);
  EXPECT_EQ(pooled[0], 1.0);
  for (const double rho : pooled) {
    EXPECT_GT(rho, 0.99);
  }
  // That of a single one of them falls at once.
  EXPECT_LT(autocorrelation(frozen.row(0), 60)[20], 0.3);
  // Chains that do not move at all, at different places.
  const Array<double> constant =
      chainsOf({std::vector<double>(50, 1.0), std::vector<double>(50, 2.0)});
  for (const double rho : pooledAutocorrelation(constant, 10)) {
    EXPECT_NEAR(rho, 1.0, 1e-12);
  }
  // A chain that jumps once, halfway.
  std::vector<double> jump(100, 0.0);
  std::fill(jump.begin() + 50, jump.end(), 1.0);
  for (const double rho : pooledAutocorrelation(chainsOf({jump}), 10)) {
    EXPECT_NEAR(rho, 1.0, 1e-12);
  }
}

TEST(PooledAutocorrelation, IsThatOfTheProcessIfTheChainsMix) {
  const std::vector<double> pooled =
      pooledAutocorrelation(chainsOf(autoregressive(4, 4000, 0.7)), 5);
  ASSERT_EQ(pooled.size(), 6U);
  for (std::size_t lag = 0; lag < pooled.size(); ++lag) {
    EXPECT_NEAR(pooled[lag], std::pow(0.7, static_cast<double>(lag)), 0.1) << lag;
  }
  EXPECT_TRUE(pooledAutocorrelation(chainsOf({{1.0, 2.0}}), 5).empty());
  EXPECT_TRUE(std::isnan(pooledAutocorrelation(chainsOf({{1.0, 1.0, 1.0, 1.0}}), 1)[1]));
}

TEST(ChainAgreement, HasTheLimitsOfVehtariEtAl) {
  EXPECT_TRUE(chainsAgree({.rhat = 1.0099, .ess = 400.0, .chains = 4}));
  EXPECT_FALSE(chainsAgree({.rhat = 1.0101, .ess = 4000.0, .chains = 4}));
  EXPECT_FALSE(chainsAgree({.rhat = 1.0, .ess = 399.0, .chains = 4}));
  EXPECT_FALSE(chainsAgree({.rhat = kNaN, .ess = 4000.0, .chains = 4}));
  EXPECT_FALSE(disagreementText({.rhat = 1.005, .ess = 500.0, .chains = 4}));
  EXPECT_EQ(disagreementText({.rhat = 1.049, .ess = 500.0, .chains = 4}),
            "R-hat is 1.049 (at most 1.01 for results): the chains disagree, this is not a "
            "posterior yet");
  EXPECT_EQ(disagreementText({.rhat = 1.0101, .ess = 500.0, .chains = 4, .of = " of x"}),
            "R-hat of x is 1.0101 (at most 1.01 for results): the chains disagree, this is not a "
            "posterior yet");
  EXPECT_EQ(disagreementText({.rhat = 1e6, .ess = 5.0, .chains = 4}),
            "R-hat is above 100 (at most 1.01 for results): the chains disagree, this is not a "
            "posterior yet");
  EXPECT_NE(disagreementText({.rhat = 1.0, .ess = 9.0, .chains = 4})->find("worth 9 independent"),
            std::string::npos);
  EXPECT_NE(disagreementText({.rhat = kNaN, .ess = kNaN, .chains = 1})->find("A single chain"),
            std::string::npos);
}

}  // namespace
}  // namespace dubito
