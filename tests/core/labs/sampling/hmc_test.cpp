// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/hmc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/labs/sampling/chain_diagnostics.h"
#include "tests/core/labs/sampling/chain_runs.h"
#include "tests/core/labs/sampling/linear_model.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

/// U = sum(q^2/2 + q^4/4) + q0 q1/2 of the reference vectors.
class Quartic : public LogDensity {
 public:
  explicit Quartic(std::int64_t dimension) : dimension_(dimension) {}
  [[nodiscard]] std::int64_t dimension() const override { return dimension_; }
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    double value = -0.5 * q[0] * q[1];
    for (std::size_t d = 0; d < q.size(); ++d) {
      value -= 0.5 * q[d] * q[d] + 0.25 * std::pow(q[d], 4);
      if (!gradient.empty()) {
        gradient[d] = -q[d] - std::pow(q[d], 3);
      }
    }
    if (!gradient.empty()) {
      gradient[0] -= 0.5 * q[1];
      gradient[1] -= 0.5 * q[0];
    }
    return value;
  }

 private:
  std::int64_t dimension_;
};

PhasePoint phasePoint(const LogDensity& density, std::vector<double> q, std::vector<double> p) {
  PhasePoint point{std::move(q), std::move(p), {}, 0.0};
  point.gradient.resize(point.position.size());
  point.log_density = density.evaluate(point.position, point.gradient);
  return point;
}

TEST(Leapfrog, MatchesTheReferenceVectors) {
  const nlohmann::json vectors = test::readVectors("labs").at("leapfrog");
  const Quartic density(3);
  const PhasePoint start = phasePoint(density, vectors.at("q0"), vectors.at("p0"));
  for (const auto& run : vectors.at("runs")) {
    const PhasePoint end = leapfrog(density, start, {}, run.at("eps"), run.at("steps"));
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_TRUE(closeTo(end.position[d], run.at("q1")[d], 1e-9)) << run.at("eps");
      EXPECT_TRUE(closeTo(end.momentum[d], run.at("p1")[d], 1e-9)) << run.at("eps");
    }
    EXPECT_TRUE(closeTo(energyOf(start, {}), run.at("h0"), 1e-9));
    EXPECT_TRUE(closeTo(energyOf(end, {}), run.at("h1"), 1e-9));
    EXPECT_TRUE(closeTo(std::min(1.0, std::exp(energyOf(start, {}) - energyOf(end, {}))),
                        run.at("accept"), 1e-9));
  }
}

TEST(Leapfrog, IsReversible) {
  const Quartic density(3);
  const std::vector<double> inverse_mass{0.5, 2.0, 1.3};
  const PhasePoint start = phasePoint(density, {-0.87, 0.28, -0.606}, {-0.119, -0.919, 0.479});
  PhasePoint end = leapfrog(density, start, inverse_mass, 0.2, 17);
  for (double& momentum : end.momentum) {
    momentum = -momentum;
  }
  const PhasePoint back = leapfrog(density, end, inverse_mass, 0.2, 17);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(back.position[d], start.position[d], 1e-12);
    EXPECT_NEAR(back.momentum[d], -start.momentum[d], 1e-12);
  }
}

TEST(Leapfrog, PreservesVolume) {
  const Quartic density(2);
  const std::vector<double> inverse_mass{0.5, 2.0};
  const std::vector<double> centre{-0.87, 0.28, -0.119, -0.919};
  const auto mapped = [&](const std::vector<double>& z) {
    const PhasePoint end =
        leapfrog(density, phasePoint(density, {z[0], z[1]}, {z[2], z[3]}), inverse_mass, 0.4, 5);
    return std::vector<double>{end.position[0], end.position[1], end.momentum[0], end.momentum[1]};
  };
  constexpr double kStep = 1e-5;
  std::vector<std::vector<double>> jacobian(4, std::vector<double>(4));
  for (std::size_t d = 0; d < 4; ++d) {
    std::vector<double> up = centre;
    std::vector<double> down = centre;
    up[d] += kStep;
    down[d] -= kStep;
    for (std::size_t e = 0; e < 4; ++e) {
      jacobian[e][d] = (mapped(up)[e] - mapped(down)[e]) / (2.0 * kStep);
    }
  }
  double determinant = 1.0;
  for (std::size_t i = 0; i < 4; ++i) {
    determinant *= jacobian[i][i];
    for (std::size_t j = i + 1; j < 4; ++j) {
      const double factor = jacobian[j][i] / jacobian[i][i];
      for (std::size_t k = i; k < 4; ++k) {
        jacobian[j][k] -= factor * jacobian[i][k];
      }
    }
  }
  // Central differences are good to about kStep^2.
  EXPECT_NEAR(determinant, 1.0, 1e-7);
}

/// Unit variances, correlation rho^|i - j|, means 0, 1, 2, ...
test::Gaussian correlated(std::size_t dimension, double rho) {
  test::Gaussian gaussian{{}, std::vector<std::vector<double>>(dimension)};
  for (std::size_t i = 0; i < dimension; ++i) {
    gaussian.mean.push_back(static_cast<double>(i));
    for (std::size_t j = 0; j < dimension; ++j) {
      gaussian.covariance[i].push_back(
          std::pow(rho, std::abs(static_cast<double>(i) - static_cast<double>(j))));
    }
  }
  return gaussian;
}

test::Chains hmcChains(const std::shared_ptr<const LogDensity>& density, const HmcOptions& options,
                       std::uint64_t seed, std::size_t count = 4) {
  test::Chains chains;
  for (std::size_t chain = 0; chain < count; ++chain) {
    std::vector<double> start(static_cast<std::size_t>(density->dimension()));
    KeyedRandom(seed, LabSite::kStartingPoint, chain).normals(0, start);
    chains.push_back(std::make_unique<HmcChain>(density, options, start, seed, chain));
  }
  return chains;
}

/// Counts errors of means and second moments in units of their Monte Carlo standard error.
struct ErrorCount {
  int statistics = 0;
  int beyond_three = 0;
  double squares = 0.0;

  void add(const Array<double>& chains, double exact) {
    const auto values = chains.values();
    double mean = 0.0;
    for (const double value : values) {
      mean += value / static_cast<double>(values.size());
    }
    const double z = (mean - exact) / mcseMean(chains);
    ++statistics;
    beyond_three += std::abs(z) > 3.0 ? 1 : 0;
    squares += z * z;
  }
};

void expectMomentsOf(std::size_t dimension, double rho) {
  const test::Gaussian gaussian = correlated(dimension, rho);
  const auto density = std::make_shared<test::GaussianDensity>(gaussian);
  const HmcOptions options{.leapfrog_steps = 10, .warm_up = 300, .jitter = 0.3};
  ErrorCount errors;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const test::ChainRuns runs = test::runChains(hmcChains(density, options, seed), 300, 2000);
    for (std::size_t i = 0; i < dimension; ++i) {
      errors.add(runs.scalars([&](auto q) { return q[i]; }), gaussian.mean[i]);
      for (std::size_t j = i; j < dimension; ++j) {
        errors.add(runs.scalars([&](auto q) {
          return (q[i] - gaussian.mean[i]) * (q[j] - gaussian.mean[j]);
        }),
                   gaussian.covariance[i][j]);
      }
    }
  }
  // A normal error is beyond 3 in 0.27 % of cases; the standard errors are estimates themselves and
  // the statistics of one seed are correlated, so up to 1 % passes.
  EXPECT_LE(errors.beyond_three, std::max(1, errors.statistics / 100)) << errors.statistics;
  // The errors are neither larger nor smaller than they claim to be.
  const double spread = std::sqrt(errors.squares / errors.statistics);
  EXPECT_GT(spread, 0.8);
  EXPECT_LT(spread, 1.2);
  std::cout << dimension << " dimensions: " << errors.beyond_three << " of " << errors.statistics
            << " beyond 3 standard errors, spread " << spread << "\n";
}

TEST(Hmc, MeetsTheMomentsOfGaussiansInTwoDimensions) {
  expectMomentsOf(2, 0.9);
}

TEST(Hmc, MeetsTheMomentsOfGaussiansInTenDimensions) {
  expectMomentsOf(10, 0.6);
}

TEST(Hmc, AdaptsToTheTargetAcceptance) {
  const auto density = std::make_shared<test::GaussianDensity>(correlated(10, 0.6));
  for (const double first_guess : {1e-4, 0.1, 100.0}) {
    const HmcOptions options{.step_size = first_guess, .leapfrog_steps = 5, .warm_up = 600};
    const test::ChainRuns runs = test::runChains(hmcChains(density, options, 3), 600, 1000);
    for (const ChainStatistics& statistics : runs.statistics) {
      EXPECT_EQ(statistics.transitions(), 1000);
      EXPECT_NEAR(statistics.acceptance(), 0.65, 0.08) << first_guess;
      EXPECT_NEAR(statistics.acceptedShare(), statistics.acceptance(), 0.06);
    }
  }
}

TEST(Hmc, AdaptsAMassToUnequalScales) {
  const auto density = std::make_shared<test::GaussianDensity>(
      test::Gaussian{{0.0, 0.0}, {{0.01, 0.0}, {0.0, 9.0}}});
  const HmcOptions options{.step_size = 0.01, .adapt_mass = true, .warm_up = 2000};
  HmcChain chain(density, options, {0.0, 0.0}, 5, 0);
  for (int i = 0; i < 2000; ++i) {
    chain.advance(nullptr);
  }
  EXPECT_NEAR(chain.inverseMass()[0] / 0.01, 1.0, 0.4);
  EXPECT_NEAR(chain.inverseMass()[1] / 9.0, 1.0, 0.4);
  // In units of the scales, the step of a standard normal.
  EXPECT_GT(chain.stepSize(), 0.5);
}

TEST(Hmc, CountsDivergencesAndStays) {
  const auto density = std::make_shared<Quartic>(2);
  const HmcOptions options{.step_size = 50.0, .adapt = false, .warm_up = 0};
  HmcChain chain(density, options, {0.5, -0.5}, 1, 0);
  ChainStatistics statistics;
  for (int i = 0; i < 50; ++i) {
    statistics.add(chain.advance(nullptr));
  }
  EXPECT_EQ(statistics.divergences(), 50);
  EXPECT_EQ(statistics.acceptance(), 0.0);
  EXPECT_EQ(chain.position()[0], 0.5);
}

TEST(Hmc, ReturnsThePathOfATransition) {
  const auto density = std::make_shared<Quartic>(2);
  const HmcOptions options{.step_size = 0.2, .leapfrog_steps = 7, .adapt = false, .warm_up = 0};
  HmcChain chain(density, options, {0.5, -0.5}, 1, 0);
  HmcChain without_path(density, options, {0.5, -0.5}, 1, 0);
  TransitionPath path;
  const Transition transition = chain.advance(&path);
  without_path.advance(nullptr);
  ASSERT_EQ(path.points.size(), 2U * 8U);
  EXPECT_EQ(path.points[0], 0.5);
  EXPECT_EQ(path.accepted, transition.accepted);
  ASSERT_TRUE(path.accepted);
  EXPECT_EQ(path.points[14], chain.position()[0]);
  EXPECT_TRUE(std::ranges::equal(chain.position(), without_path.position()));
  EXPECT_EQ(path.start, 0U);
  EXPECT_EQ(path.end, 7U);
  EXPECT_EQ(transition.leapfrog_steps, 7);
  // Momenta and positions of the same time: H is constant up to the error of the integrator.
  ASSERT_EQ(path.momentum.size(), 2U);
  ASSERT_EQ(path.potential.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(path.potential[i] + path.kinetic[i], transition.energy, 0.1);
  }
  EXPECT_EQ(path.kinetic[0], kineticEnergyOf(path.momentum, {}));
  EXPECT_NEAR(std::min(1.0, std::exp(transition.energy - path.potential[7] - path.kinetic[7])),
              transition.acceptance, 1e-12);
}

TEST(Hmc, DoesNotDependOnThreadsOrCalls) {
  const auto density = std::make_shared<Quartic>(3);
  const HmcOptions options{.adapt_mass = true, .warm_up = 50};
  const auto states = [&](int threads, std::int64_t per_call) {
    return test::runChains(hmcChains(density, options, 9), 50, 70, threads, per_call).states;
  };
  const Array<double> reference = states(1, 1000);
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 1000).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 7).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(2, 1).values()));
}

TEST(Hmc, CanBeCancelled) {
  const auto density = std::make_shared<Quartic>(3);
  RunContext context;
  context.control()->requestCancel();
  const auto chains = hmcChains(density, {}, 9);
  const Status status = advanceChains(chains, 10, {}, context);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(chains[0]->done(), 0);
}

TEST(CheckStart, RefusesPointsWithoutADensity) {
  const Quartic density(2);
  EXPECT_TRUE(checkStart(density, std::vector<double>{0.1, 0.2}));
  EXPECT_FALSE(checkStart(density, std::vector<double>{1e200, 0.0}));
  EXPECT_FALSE(checkStart(density, std::vector<double>{NAN, 0.0}));
}

TEST(HmcOptions, AreChecked) {
  EXPECT_TRUE(HmcOptions{}.check());
  EXPECT_FALSE((HmcOptions{.step_size = 0.0}).check());
  EXPECT_FALSE((HmcOptions{.leapfrog_steps = 0}).check());
  EXPECT_FALSE((HmcOptions{.target_acceptance = 1.0}).check());
}

}  // namespace
}  // namespace dubito
