// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/dropout_rate_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/find_by_key.h"
#include "core/labs/data/regression_sets.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Parts of [0, 1] between points of the grid.
constexpr int kGridParts = 10;
/// Streams of the masks: those of the starts come first, then concrete dropout and the grid.
constexpr std::uint64_t kConcreteStream = 100;
constexpr std::uint64_t kGridStream = 200;
constexpr double kGridLearningRate = 0.01;
constexpr std::string_view kData = "sine";

std::vector<double> gridOf() {
  std::vector<double> grid{DropoutRateLab::kReportedKeep};
  for (int i = 0; i <= kGridParts; ++i) {
    grid.push_back(static_cast<double>(i) / kGridParts);
  }
  std::ranges::sort(grid);
  return grid;
}

RateProblem problemOf(const DropoutRateOptions& options, std::uint64_t seed) {
  const RegressionPoints points =
      findByKey(regressionSets(), kData)->make(options.points, seed).train;
  RateProblem problem;
  problem.x = points.x;
  for (const double y : points.y) {
    problem.y.push_back(y / options.target_scale);
  }
  problem.shape.hidden = {options.hidden};
  problem.noise_std = options.assumed_noise / options.target_scale;
  problem.prior_std = options.prior_std;
  return problem;
}

RateEnd endOf(double keep) {
  return keep <= 0.0 ? RateEnd::kZero : keep >= 1.0 ? RateEnd::kOne : RateEnd::kInside;
}

RateTrajectory trajectoryOf(const RateProblem& problem, const RateRun& run) {
  RateTrajectory result;
  result.estimator = *run.settings().estimator;
  result.start = run.settings().start;
  result.keep = run.keep();
  result.end = endOf(run.keep());
  result.elbo = expectedTerms(problem, contributionsOf(problem, run.parameters()), run.keep());
  result.keeps = run.keepTrace();
  result.elbos = run.elboTrace();
  result.smallest_keep = result.largest_keep = result.mean_keep = run.keep();
  const std::vector<double>& keeps = result.keeps.y;
  if (!keeps.empty()) {
    const std::span<const double> tail =
        std::span<const double>(keeps).subspan(keeps.size() - (keeps.size() + 4) / 5);
    const auto [smallest, largest] = std::ranges::minmax(tail);
    result.smallest_keep = smallest;
    result.largest_keep = largest;
    double sum = 0.0;
    for (const double keep : tail) {
      sum += keep;
    }
    result.mean_keep = sum / static_cast<double>(tail.size());
  }
  return result;
}

RateGridPoint gridPointOf(const RateProblem& problem, const RateRun& run, std::int64_t draws,
                          std::uint64_t seed, std::uint64_t stream) {
  RateGridPoint point;
  point.keep = run.keep();
  point.tail_mean = run.tailMean();
  const UnitContributions contributions = contributionsOf(problem, run.parameters());
  point.elbo = expectedTerms(problem, contributions, point.keep);
  const KeyedRandom random(seed, LabSite::kFunctionDraw, stream);
  std::vector<double> mask(static_cast<std::size_t>(problem.units()));
  double squares = 0.0;
  for (std::int64_t draw = 0; draw < draws; ++draw) {
    random.uniforms(static_cast<std::uint32_t>(draw), mask);
    for (double& value : mask) {
      value = value < point.keep ? 1.0 : 0.0;
    }
    const double total = maskedTerms(problem, contributions, mask, point.keep).total();
    // Welford: the draws differ little compared with their size.
    const double before = total - point.estimate;
    point.estimate += before / static_cast<double>(draw + 1);
    squares += before * (total - point.estimate);
  }
  const auto n = static_cast<double>(draws);
  point.standard_error = std::sqrt(squares / (n - 1.0) / n);
  return point;
}

}  // namespace

const char* keyOf(RateEnd end) {
  return end == RateEnd::kZero ? "zero" : end == RateEnd::kOne ? "one" : "inside";
}

Expected<std::unique_ptr<DropoutRateLab>> DropoutRateLab::start(const DropoutRateOptions& options,
                                                                std::uint64_t seed) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  std::unique_ptr<DropoutRateLab> lab(new DropoutRateLab(options, seed));
  lab->problem_ = std::make_shared<const RateProblem>(problemOf(options, seed));
  RateRunSettings settings{
      .estimator = findByKey(rateEstimators(), options.estimator)->id,
      .rate_step = options.rate_step,
      .margin = options.margin,
      .baseline = options.baseline,
      .draws = options.draws,
      .steps = options.steps,
      .optimiser = options.optimiser == "adam" ? Optimiser::kAdam : Optimiser::kSgd,
      .learning_rate = options.learning_rate,
      .initial_std = options.initial_std};
  for (std::int64_t i = 1; i <= options.starts; ++i) {
    settings.start = static_cast<double>(i) / static_cast<double>(options.starts + 1);
    lab->runs_.emplace_back(lab->problem_, settings, seed, static_cast<std::uint64_t>(i));
  }
  if (options.concrete && settings.estimator != RateEstimator::kConcrete) {
    settings.estimator = RateEstimator::kConcrete;
    settings.start = 0.5;
    lab->runs_.emplace_back(lab->problem_, settings, seed, kConcreteStream);
  }
  // The grid shows the largest ELBO at each p, so its weights must converge.
  settings.estimator.reset();
  settings.draws = 1;
  settings.optimiser = Optimiser::kAdam;
  settings.learning_rate = kGridLearningRate;
  settings.initial_std.reset();
  for (const double keep : gridOf()) {
    settings.start = keep;
    lab->grid_.emplace_back(lab->problem_, settings, seed, kGridStream + lab->grid_.size());
  }
  return lab;
}

Status DropoutRateLab::advance(std::int64_t steps, RunContext& context) {
  const std::int64_t count = std::min(steps, total() - done_);
  const std::size_t runs = runs_.size();
  std::vector<Status> results(runs + grid_.size());
  context.forEach(results.size(), [&](std::size_t i) {
    RateRun& run = i < runs ? runs_[i] : grid_[i - runs];
    results[i] = run.advance(count, context);
  });
  for (const Status& result : results) {
    if (!result) {
      return result;
    }
  }
  done_ += count;
  return {};
}

DropoutRatePicture DropoutRateLab::picture(const RunContext& context) const {
  DropoutRatePicture picture;
  picture.done = done_;
  picture.total = total();
  picture.trajectories.resize(runs_.size());
  picture.grid.resize(grid_.size());
  context.forEach(runs_.size(), [&](std::size_t i) {
    picture.trajectories[i] = trajectoryOf(*problem_, runs_[i]);
  });
  context.forEach(grid_.size(), [&](std::size_t i) {
    picture.grid[i] = gridPointOf(*problem_, grid_[i], options_.grid_draws, seed_, kGridStream + i);
  });
  const auto best = std::ranges::max_element(
      picture.grid, {}, [](const RateGridPoint& point) { return point.elbo.total(); });
  picture.best = static_cast<std::size_t>(best - picture.grid.begin());
  const auto trapped = std::ranges::count_if(picture.trajectories, [](const RateTrajectory& run) {
    return run.estimator == RateEstimator::kScore && run.end != RateEnd::kInside;
  });
  if (trapped > 0) {
    picture.warnings.push_back(
        fmt::format("{} of {} starts are trapped at 0 or 1, where the score function is 0; {}",
                    trapped, options_.starts,
                    options_.baseline
                        ? "a baseline does not free them: keep p away from there, or lower its step"
                        : "keep p away from there, or lower its step"));
  }
  return picture;
}

}  // namespace dubito
