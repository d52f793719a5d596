// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/nuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/labs/sampling/chain_diagnostics.h"
#include "core/labs/sampling/sampler_targets.h"
#include "tests/core/labs/sampling/chain_runs.h"

namespace dubito {
namespace {

using Vector = std::vector<double>;

SamplerTarget targetOf(const char* key, double correlation = 0.9) {
  return findSamplerTarget(key)->make(correlation);
}

test::Chains nutsChains(const SamplerTarget& target, const NutsOptions& options, std::uint64_t seed,
                        std::size_t count = 4) {
  test::Chains chains;
  for (std::size_t chain = 0; chain < count; ++chain) {
    Vector start(2);
    KeyedRandom(seed, LabSite::kStartingPoint, chain).normals(0, start);
    chains.push_back(std::make_unique<NutsChain>(target.density, options, start, seed, chain));
  }
  return chains;
}

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1];
}

/// The sampler written down plainly: all points of the trajectory are stored, and every aligned
/// piece is tested by sums over its points.
class PlainNuts {
 public:
  PlainNuts(const SamplerTarget& target, double step, Vector start, std::uint64_t seed)
      : density_(*target.density),
        step_(step),
        position_(std::move(start)),
        momenta_(seed, LabSite::kMomentum, 0),
        directions_(seed, LabSite::kProposal, 0),
        choices_(seed, LabSite::kAcceptance, 0) {}

  void advance() {
    PhasePoint start{position_, Vector(2), Vector(2), 0.0};
    start.log_density = density_.evaluate(start.position, start.gradient);
    momenta_.normals(draw_, start.momentum);
    start_energy_ = energyOf(start, {});
    Vector directions(10);
    directions_.uniforms(draw_, directions);
    points_ = {start};
    PhasePoint chosen = start;
    for (std::size_t depth = 0; depth < 10; ++depth) {
      const std::size_t size = points_.size();
      Vector numbers(2 * size);
      choices_.uniforms(draw_, numbers);
      numbers_.assign(numbers.begin() + static_cast<std::ptrdiff_t>(size) + 1, numbers.end());
      const bool forwards = directions[depth] < 0.5;
      std::vector<PhasePoint> added = addedPoints(forwards, size);
      if (added.size() < size || anyTurns(added)) {
        break;
      }
      // The pieces of a doubling are compared in the order of integration.
      next_number_ = 0;
      const PhasePoint& of_added = added[choiceIn(added, 0, size)];
      if (numbers[size] < weightOf(added, 0, size) / weightOf(points_, 0, size)) {
        chosen = of_added;
      }
      if (forwards) {
        points_.insert(points_.end(), added.begin(), added.end());
      } else {
        points_.insert(points_.begin(), added.rbegin(), added.rend());
      }
      if (turns(points_, 0, points_.size())) {
        break;
      }
    }
    position_ = chosen.position;
    ++draw_;
  }

  [[nodiscard]] const Vector& position() const { return position_; }

 private:
  /// Fewer than `size` points if one diverges.
  [[nodiscard]] std::vector<PhasePoint> addedPoints(bool forwards, std::size_t size) const {
    std::vector<PhasePoint> added;
    PhasePoint point = forwards ? points_.back() : points_.front();
    for (std::size_t i = 0; i < size; ++i) {
      point = leapfrog(density_, point, {}, forwards ? step_ : -step_, 1);
      if (!(energyOf(point, {}) - start_energy_ <= 1000.0)) {
        return added;
      }
      added.push_back(point);
    }
    return added;
  }
  [[nodiscard]] static bool isStraight(const std::vector<PhasePoint>& points, std::size_t begin,
                                       std::size_t end) {
    Vector sum(2);
    for (std::size_t i = begin; i < end; ++i) {
      sum[0] += points[i].momentum[0];
      sum[1] += points[i].momentum[1];
    }
    return dot(sum, points[begin].momentum) > 0.0 && dot(sum, points[end - 1].momentum) > 0.0;
  }
  /// Of the whole, and of each half with the nearest point of the other half.
  [[nodiscard]] static bool turns(const std::vector<PhasePoint>& points, std::size_t begin,
                                  std::size_t end) {
    const std::size_t middle = (begin + end) / 2;
    return !isStraight(points, begin, end) || !isStraight(points, begin, middle + 1) ||
           !isStraight(points, middle - 1, end);
  }
  [[nodiscard]] static bool anyTurns(const std::vector<PhasePoint>& points) {
    for (std::size_t length = 2; length <= points.size(); length *= 2) {
      for (std::size_t begin = 0; begin < points.size(); begin += length) {
        if (turns(points, begin, begin + length)) {
          return true;
        }
      }
    }
    return false;
  }
  [[nodiscard]] double weightOf(const std::vector<PhasePoint>& points, std::size_t begin,
                                std::size_t end) const {
    double weight = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      weight += std::exp(start_energy_ - energyOf(points[i], {}));
    }
    return weight;
  }
  /// Index of the point that a piece proposes.
  [[nodiscard]] std::size_t choiceIn(const std::vector<PhasePoint>& points, std::size_t begin,
                                     std::size_t end) {
    if (end - begin == 1) {
      return begin;
    }
    const std::size_t middle = (begin + end) / 2;
    const std::size_t near = choiceIn(points, begin, middle);
    const std::size_t far = choiceIn(points, middle, end);
    const double share = weightOf(points, middle, end) / weightOf(points, begin, end);
    return numbers_[next_number_++] < share ? far : near;
  }

  const LogDensity& density_;
  double step_;
  Vector position_;
  KeyedRandom momenta_;
  KeyedRandom directions_;
  KeyedRandom choices_;
  std::uint32_t draw_ = 0;
  double start_energy_ = 0.0;
  std::vector<PhasePoint> points_;
  Vector numbers_;
  std::size_t next_number_ = 0;
};

TEST(Nuts, HasTheStatesOfAPlainVersion) {
  for (const char* const key : {"gaussian", "banana", "mixture", "funnel", "network"}) {
    const SamplerTarget target = targetOf(key);
    for (const double step : {0.07, 0.3, 0.9}) {
      const NutsOptions options{.step_size = step, .adapt = false, .warm_up = 0};
      NutsChain chain(target.density, options, {0.5, -0.7}, 11, 0);
      PlainNuts plain(target, step, {0.5, -0.7}, 11);
      for (int i = 0; i < 200; ++i) {
        chain.advance(nullptr);
        plain.advance();
        // The same points of the same trajectories: equal, not only close.
        ASSERT_EQ(chain.position()[0], plain.position()[0]) << key << " " << step << " " << i;
        ASSERT_EQ(chain.position()[1], plain.position()[1]) << key << " " << step << " " << i;
      }
    }
  }
}

double meanOf(const Array<double>& values) {
  double sum = 0.0;
  for (const double value : values.values()) {
    sum += value / static_cast<double>(values.size());
  }
  return sum;
}

void expectMomentsOf(const SamplerTarget& target, double spread_of_squares) {
  const DenseGaussian& exact = target.moments;
  const NutsOptions options{.warm_up = 300};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const test::ChainRuns runs = test::runChains(nutsChains(target, options, seed), 300, 3000);
    for (std::size_t a = 0; a < 2; ++a) {
      const Array<double> values = runs.scalars([&](auto q) { return q[a]; });
      EXPECT_NEAR(meanOf(values), exact.mean[a], 4.0 * mcseMean(values)) << seed << " " << a;
      EXPECT_LT(rankRhat(values), 1.01);
      for (std::size_t b = a; b < 2; ++b) {
        const Array<double> products =
            runs.scalars([&](auto q) { return (q[a] - exact.mean[a]) * (q[b] - exact.mean[b]); });
        EXPECT_NEAR(meanOf(products), exact.covariance[2 * a + b],
                    spread_of_squares * mcseMean(products))
            << seed << " " << a << b;
      }
    }
  }
}

TEST(Nuts, MeetsTheMomentsOfACorrelatedGaussian) {
  expectMomentsOf(targetOf("gaussian", 0.9), 4.0);
}

TEST(Nuts, MeetsTheMomentsOfTheBanana) {
  // The fourth moments of y are large: their standard errors are estimates that vary more.
  expectMomentsOf(targetOf("banana"), 5.0);
}

TEST(Nuts, LeavesTheDensityUnchanged) {
  // Exact draws of the banana, each moved by a few transitions with steps so large that the
  // integrator errs: their distribution stays.
  const SamplerTarget target = targetOf("banana");
  constexpr std::uint64_t kDraws = 20000;
  for (const double step : {0.3, 1.1}) {
    const NutsOptions options{.step_size = step, .adapt = false, .warm_up = 0};
    std::array<double, 4> sums{};
    std::array<double, 4> squares{};
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      std::array<double, 2> z{};
      KeyedRandom(1, LabSite::kFunctionDraw, i).normals(0, z);
      const double x = 2.0 * z[0];
      NutsChain chain(target.density, options, {x, 0.25 * (x * x - 4.0) + z[1]}, 2, i);
      for (int transition = 0; transition < 3; ++transition) {
        chain.advance(nullptr);
      }
      const double a = chain.position()[0];
      const double b = chain.position()[1];
      const double residual = b - 0.25 * (a * a - 4.0);
      const std::array<double, 4> values{a, a * a, residual, residual * residual};
      for (std::size_t k = 0; k < 4; ++k) {
        sums[k] += values[k];
        squares[k] += values[k] * values[k];
      }
    }
    const std::array<double, 4> exact{0.0, 4.0, 0.0, 1.0};
    for (std::size_t k = 0; k < 4; ++k) {
      const double n = static_cast<double>(kDraws);
      const double mean = sums[k] / n;
      const double error = std::sqrt((squares[k] / n - mean * mean) / n);
      EXPECT_NEAR(mean, exact[k], 4.0 * error) << step << " " << k;
    }
  }
}

TEST(Nuts, DoublesMoreOftenWithSmallerSteps) {
  const SamplerTarget target = targetOf("gaussian", 0.5);
  double last = 0.0;
  for (const double step : {0.8, 0.4, 0.2, 0.1, 0.05}) {
    const NutsOptions options{.step_size = step, .adapt = false, .warm_up = 0};
    const test::ChainRuns runs = test::runChains(nutsChains(target, options, 4), 0, 300);
    const ChainStatistics& statistics = runs.statistics[0];
    EXPECT_GT(statistics.treeDepth(), last + 0.5) << step;
    // A tree of depth d has 2^d - 1 steps; one that was refused adds fewer than 2^d.
    EXPECT_GE(statistics.leapfrogSteps(), std::exp2(statistics.treeDepth()) - 1.0);
    last = statistics.treeDepth();
  }
  NutsChain tiny(target.density, {.step_size = 1e-6, .adapt = false, .warm_up = 0}, {1.0, 0.0}, 1,
                 0);
  const Transition transition = tiny.advance(nullptr);
  EXPECT_EQ(transition.tree_depth, NutsOptions::kMaxTreeDepth);
  EXPECT_EQ(transition.leapfrog_steps, 1023);
}

TEST(Nuts, AdaptsToTheTargetAcceptance) {
  const SamplerTarget target = targetOf("gaussian", 0.9);
  for (const double first_guess : {1e-3, 100.0}) {
    const NutsOptions options{.step_size = first_guess, .target_acceptance = 0.8, .warm_up = 600};
    const test::ChainRuns runs = test::runChains(nutsChains(target, options, 3), 600, 1000);
    for (const ChainStatistics& statistics : runs.statistics) {
      EXPECT_NEAR(statistics.acceptance(), 0.8, 0.08) << first_guess;
    }
  }
}

TEST(Nuts, CountsDivergencesAndStays) {
  const SamplerTarget target = targetOf("banana");
  NutsChain chain(target.density, {.step_size = 80.0, .adapt = false, .warm_up = 0}, {0.5, -0.5}, 1,
                  0);
  for (int i = 0; i < 20; ++i) {
    const Transition transition = chain.advance(nullptr);
    EXPECT_TRUE(transition.divergent);
    EXPECT_FALSE(transition.accepted);
    EXPECT_EQ(transition.acceptance, 0.0);
    EXPECT_EQ(transition.tree_depth, 0);
  }
  EXPECT_EQ(chain.position()[0], 0.5);
}

TEST(Nuts, ReturnsTheTrajectoryOfATransition) {
  const SamplerTarget target = targetOf("banana");
  const NutsOptions options{.step_size = 0.2, .adapt = false, .warm_up = 0};
  NutsChain chain(target.density, options, {0.5, -0.5}, 1, 0);
  NutsChain without_path(target.density, options, {0.5, -0.5}, 1, 0);
  bool went_back = false;
  for (int i = 0; i < 30; ++i) {
    const Vector before(chain.position().begin(), chain.position().end());
    TransitionPath path;
    const Transition transition = chain.advance(&path);
    without_path.advance(nullptr);
    const std::size_t count = path.potential.size();
    ASSERT_EQ(count, static_cast<std::size_t>(transition.leapfrog_steps) + 1U);
    ASSERT_EQ(path.points.size(), 2U * count);
    ASSERT_EQ(path.kinetic.size(), count);
    went_back = went_back || path.start > 0;
    EXPECT_EQ(path.points[2 * path.start], before[0]);
    EXPECT_EQ(path.points[2 * path.end], chain.position()[0]);
    EXPECT_EQ(path.points[2 * path.end + 1], chain.position()[1]);
    EXPECT_EQ(path.accepted, path.start != path.end);
    EXPECT_EQ(path.potential[path.start] + path.kinetic[path.start], transition.energy);
    // One trajectory in the order of time: a leapfrog from its first point passes all others.
    PhasePoint point{before, path.momentum, Vector(2), 0.0};
    point.log_density = target.density->evaluate(point.position, point.gradient);
    for (std::size_t step = 0; step < path.start; ++step) {
      point = leapfrog(*target.density, point, {}, -0.2, 1);
    }
    for (std::size_t row = 0; row < count; ++row) {
      EXPECT_NEAR(path.points[2 * row], point.position[0], 1e-9);
      EXPECT_NEAR(path.kinetic[row], kineticEnergyOf(point.momentum, {}), 1e-9);
      point = leapfrog(*target.density, point, {}, 0.2, 1);
    }
    EXPECT_TRUE(std::ranges::equal(chain.position(), without_path.position()));
  }
  EXPECT_TRUE(went_back);
}

TEST(Nuts, DoesNotDependOnThreadsOrCalls) {
  const SamplerTarget target = targetOf("banana");
  const auto states = [&](int threads, std::int64_t per_call) {
    return test::runChains(nutsChains(target, {.warm_up = 50}, 9), 50, 70, threads, per_call)
        .states;
  };
  const Array<double> reference = states(1, 1000);
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 1000).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(4, 7).values()));
  EXPECT_TRUE(std::ranges::equal(reference.values(), states(2, 1).values()));
}

}  // namespace
}  // namespace dubito
