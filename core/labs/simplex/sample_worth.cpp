// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/sample_worth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/nan.h"
#include "core/base/stopwatch.h"
#include "core/labs/simplex/gaussian_check.h"
#include "core/labs/simplex/logit_sampler.h"
#include "core/labs/simplex/worth_target.h"

namespace dubito {
namespace {

constexpr std::int64_t kTruthUnits = 20;

// Streams of the sampler; 0 is that of pictures.
constexpr std::uint64_t kPilotStream = 1;
constexpr std::uint64_t kTruthStream = 2;
constexpr std::uint64_t kFirstReplicateStream = 3;

std::vector<std::int64_t> countsOf(const SampleWorthOptions& options) {
  std::vector<std::int64_t> counts;
  const double step = 1.0 / static_cast<double>(options.points);
  for (double log_count = std::log10(static_cast<double>(options.min_samples));;
       log_count += step) {
    const std::int64_t count = std::min(
        options.max_samples, static_cast<std::int64_t>(std::llround(std::pow(10.0, log_count))));
    if (counts.empty() || count > counts.back()) {
      counts.push_back(count);
    }
    if (count >= options.max_samples) {
      return counts;
    }
  }
}

WorthTarget targetOf(const SampleWorthOptions& options, const LogitSampler& sampler) {
  const bool is_small = sampler.classes() <= 3;
  if (options.compare == "mean") {
    return meanTarget(sampler.classes());
  }
  if (options.compare == "joint" || (options.compare == "auto" && is_small)) {
    return jointTarget(sampler.classes(), options.bins);
  }
  return marginalTarget(sampler, kPilotStream, options.bins);
}

/// Calls add(probs, sums) for samples [begin, end) of a stream and adds the sums [size] to `total`,
/// in an order that does not depend on the number of threads.
template <class Add>
void accumulate(const LogitSampler& sampler, std::uint64_t stream, std::int64_t begin,
                std::int64_t end, std::span<double> total, const RunContext& context,
                const Add& add) {
  constexpr std::int64_t kBlock = 64;
  constexpr std::int64_t kMaxGroups = 16;
  const std::int64_t blocks = (end - begin + kBlock - 1) / kBlock;
  const std::int64_t groups = std::clamp<std::int64_t>(blocks, 1, kMaxGroups);
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(groups));
  context.forEach(sums.size(), [&](std::size_t group) {
    std::vector<double> probs;
    std::vector<double>& own = sums[group];
    own.assign(total.size(), 0.0);
    for (auto block = static_cast<std::int64_t>(group);
         block < blocks && !context.cancelRequested(); block += groups) {
      const std::int64_t first = begin + block * kBlock;
      const auto rows = static_cast<std::size_t>(std::min(kBlock, end - first));
      probs.resize(rows * sampler.classes());
      sampler.draw(stream, first, probs);
      for (std::size_t i = 0; i < rows; ++i) {
        add(std::span<const double>(probs).subspan(i * sampler.classes(), sampler.classes()),
            std::span<double>(own));
      }
    }
  });
  for (const std::vector<double>& own : sums) {
    for (std::size_t i = 0; i < total.size(); ++i) {
      total[i] += own[i];
    }
  }
}

/// Seconds of the fastest of many calls, about 2 ms in all.
template <class Function>
double secondsOf(const Function& function) {
  constexpr double kEnough = 2e-3;
  Stopwatch watch;
  double total = 0.0;
  double fastest = std::numeric_limits<double>::infinity();
  while (total < kEnough) {
    function();
    const double seconds = watch.lap();
    fastest = std::min(fastest, seconds);
    total += seconds;
  }
  return fastest;
}

/// Logarithmic interpolation between two points of a falling curve.
double interpolated(double n_0, double value_0, double n_1, double value_1, double level) {
  constexpr double kMin = 1e-300;
  const double from = std::log(std::max(value_0, kMin));
  const double to = std::log(std::max(value_1, kMin));
  const double share = from > to ? (from - std::log(std::max(level, kMin))) / (from - to) : 1.0;
  return std::exp(std::log(n_0) + std::clamp(share, 0.0, 1.0) * std::log(n_1 / n_0));
}

/// Where the curve first falls below `level`; its ends if it never does or always is.
std::pair<SampleCrossing::Kind, double> firstBelow(const std::vector<std::int64_t>& counts,
                                                   const std::vector<double>& values,
                                                   double level) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < level) {
      const auto n = static_cast<double>(counts[i]);
      if (i == 0) {
        return {SampleCrossing::Kind::kBeforeFirst, n};
      }
      return {SampleCrossing::Kind::kFound,
              interpolated(static_cast<double>(counts[i - 1]), values[i - 1], n, values[i], level)};
    }
  }
  return {SampleCrossing::Kind::kAfterLast, static_cast<double>(counts.back())};
}

}  // namespace

struct SampleWorth::State {
  SampleWorthOptions options;
  LogitGaussian gaussian;
  LogitSampler sampler;
  std::optional<WorthTarget> target;
  std::int64_t done = 0;
  /// Without what is computed from the divergences of all replicates.
  SampleWorthResult result;
  std::vector<double> seconds_of_approximations;

  /// Sums over the samples of the truth: the target, then probabilities and their squares.
  std::vector<double> truth_sums;
  std::vector<double> truth;  ///< empty until complete

  std::vector<double> divergences;  ///< [replicates, P]
  double seconds = 0.0;
  std::int64_t timed_samples = 0;

  State(SampleWorthOptions given, CheckedGaussian checked, std::uint64_t seed)
      : options(std::move(given)), gaussian(std::move(checked.gaussian)), sampler(gaussian, seed) {
    result.warnings = std::move(checked.warnings);
    result.counts = countsOf(options);
  }

  [[nodiscard]] std::size_t classes() const { return sampler.classes(); }

  void extendTruth(const RunContext& context) {
    const std::size_t size = target->size;
    truth_sums.resize(size + 2 * classes());
    const std::int64_t end = options.truth * (done + 1) / kTruthUnits;
    accumulate(sampler, kTruthStream, result.truth_samples, end, truth_sums, context,
               [&](std::span<const double> probs, std::span<double> sums) {
                 target->add(probs, sums.first(size));
                 for (std::size_t k = 0; k < classes(); ++k) {
                   sums[size + k] += probs[k];
                   sums[size + classes() + k] += probs[k] * probs[k];
                 }
               });
    result.truth_samples = end;
  }

  void finishTruth(const RunContext& context) {
    const std::size_t size = target->size;
    const auto count = static_cast<double>(result.truth_samples);
    std::vector<double> mean(classes());
    std::vector<double> variance(classes());
    for (std::size_t k = 0; k < classes(); ++k) {
      mean[k] = truth_sums[size + k] / count;
      variance[k] = std::max(0.0, truth_sums[size + classes() + k] / count - mean[k] * mean[k]);
    }
    double error = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double p = truth_sums[i] / count;
      truth.push_back(p);
      // Contributions are 0 or 1, except those of the means.
      const double spread = target->pseudo_count > 0.0 ? p * (1.0 - p) : variance[i];
      error += p > 0.0 ? 0.5 * spread / (count * p) : 0.0;
    }
    result.truth_error = error / static_cast<double>(target->groups);
    for (const LogitApproximation& form : logitApproximations(gaussian, mean, variance, context)) {
      const auto expectation = target->expectation(form);
      if (!expectation) {
        continue;
      }
      const auto compute = [&] {
        return bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), *form.bridge);
      };
      result.approximations.push_back(
          {form.key, form.help, worthDivergence(*target, truth, *expectation), {}});
      seconds_of_approximations.push_back(form.bridge ? secondsOf(compute) : kNaN);
    }
  }

  void addReplicate(const RunContext& context) {
    const std::uint64_t stream =
        kFirstReplicateStream + static_cast<std::uint64_t>(result.replicates);
    std::vector<double> sums(target->size);
    std::int64_t drawn = 0;
    for (const std::int64_t count : result.counts) {
      Stopwatch watch;
      accumulate(sampler, stream, drawn, count, sums, context, target->add);
      drawn = count;
      seconds += watch.lap();
      divergences.push_back(worthDivergence(*target, truth, worthEstimate(*target, sums, count)));
    }
    timed_samples += drawn;
    ++result.replicates;
  }
};

SampleWorth::SampleWorth(std::unique_ptr<State> state) : state_(std::move(state)) {}
SampleWorth::~SampleWorth() = default;

std::vector<Field> SampleWorthOptions::fields() {
  return {
      field(
          &compare, "compare", "Compare",
          "joint: histograms over the simplex (2 or 3 classes), marginals: a histogram of each "
          "class's probability, mean: mean probabilities, auto: joint if possible, else marginals",
          {.choices = {"auto", "joint", "marginals", "mean"}}),
      field(&replicates, "replicates", "Replicates", "independent repetitions",
            {.min = 1, .max = 10'000}),
      field(&max_samples, "max_samples", "Most samples", "largest number of samples of an estimate",
            {.min = 2, .max = 1e7}),
      field(&truth, "truth", "True samples",
            "number of samples that represent the true distribution", {.min = 100, .max = 1e8}),
      field(&bins, "bins", "Bins",
            "divisions per side of the triangle, or bins per histogram of a class",
            {.min = 2,
             .max = 100,
             .unmet_requirement =
                 allUnless(compare != "mean", {setting("compare", "joint or marginals")}),
             .advanced = true}),
      field(&min_samples, "min_samples", "Fewest samples",
            "smallest number of samples of an estimate", {.min = 1, .max = 1e6, .advanced = true}),
      field(&points, "points", "Points per decade", "numbers of samples per factor of 10",
            {.min = 1, .max = 50, .advanced = true}),
  };
}

Status SampleWorthOptions::check() const {
  if (Status checked = checkFieldsOf(*this); !checked) {
    return checked;
  }
  if (min_samples >= max_samples) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the fewest samples are {} and the most samples {}; the second must be larger",
                    min_samples, max_samples),
        {setting("min_samples"), setting("max_samples")});
  }
  return {};
}

SampleCrossing crossingOf(const std::vector<std::int64_t>& counts, const std::vector<double>& mean,
                          const std::vector<double>& error, double level) {
  SampleCrossing crossing;
  if (mean.empty()) {
    return crossing;
  }
  std::tie(crossing.kind, crossing.samples) = firstBelow(counts, mean, level);
  if (crossing.kind != SampleCrossing::Kind::kFound) {
    crossing.samples = 0.0;
    return crossing;
  }
  std::vector<double> lower = mean;
  std::vector<double> upper = mean;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (std::isfinite(error[i])) {
      lower[i] -= error[i];
      upper[i] += error[i];
    }
  }
  crossing.range = {firstBelow(counts, lower, level).second,
                    firstBelow(counts, upper, level).second};
  return crossing;
}

std::string worthText(const ApproximationWorth& worth, const std::vector<std::int64_t>& counts) {
  switch (worth.crossing.kind) {
    case SampleCrossing::Kind::kBeforeFirst:
      return counts.front() == 1
                 ? fmt::format("{} is not even worth one sample", worth.key)
                 : fmt::format("{} is worth fewer than {} samples", worth.key, counts.front());
    case SampleCrossing::Kind::kAfterLast:
      return fmt::format("{} is worth more than {} samples", worth.key, counts.back());
    case SampleCrossing::Kind::kFound:
      break;
  }
  return fmt::format("{} is worth about {:.0f} samples ({:.0f} to {:.0f})", worth.key,
                     worth.crossing.samples, worth.crossing.range.low, worth.crossing.range.high);
}

Expected<std::unique_ptr<SampleWorth>> SampleWorth::start(const LogitGaussian& gaussian,
                                                          const SampleWorthOptions& options,
                                                          std::uint64_t seed) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  auto checked = checkGaussian(gaussian);
  if (!checked) {
    return failWith(checked);
  }
  const std::size_t classes = checked->gaussian.mean.size();
  if (options.compare == "joint" && classes > 3) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the joint comparison needs 2 or 3 classes, but the Gaussian has {}; "
                            "compare marginals or mean",
                            classes),
                {setting("compare", "marginals or mean")});
  }
  auto state = std::make_unique<State>(options, std::move(*checked), seed);
  if (options.truth < 10 * options.max_samples) {
    state->result.warnings.push_back(
        fmt::format("The truth has only {} samples, less than ten times the largest estimate: "
                    "divergences near its own error mean nothing.",
                    options.truth));
  }
  return std::unique_ptr<SampleWorth>(new SampleWorth(std::move(state)));
}

std::int64_t SampleWorth::done() const {
  return state_->done;
}

std::int64_t SampleWorth::total() const {
  return kTruthUnits + state_->options.replicates;
}

Status SampleWorth::advance(std::int64_t units, RunContext& context) {
  const std::int64_t end = units < total() - done() ? done() + units : total();
  State& state = *state_;
  while (state.done < end) {
    const Step step = context.step("sampling", state.done, total());
    if (step == Step::kCancel) {
      return cancelled();
    }
    if (step == Step::kStopEarly) {
      break;
    }
    if (!state.target) {
      state.target = targetOf(state.options, state.sampler);
      state.result.description = state.target->description;
    }
    if (state.done < kTruthUnits) {
      state.extendTruth(context);
      if (state.done + 1 == kTruthUnits && !context.cancelRequested()) {
        state.finishTruth(context);
      }
    } else {
      state.addReplicate(context);
    }
    if (context.cancelRequested()) {
      return cancelled();
    }
    ++state.done;
  }
  return {};
}

SampleWorthResult SampleWorth::result() const {
  const State& state = *state_;
  SampleWorthResult result = state.result;
  const std::size_t points = result.counts.size();
  result.divergences = Array<double>::fromVector(
      {result.replicates, static_cast<std::int64_t>(points)}, state.divergences);
  const auto count = static_cast<double>(result.replicates);
  for (std::size_t i = 0; i < points && result.replicates > 0; ++i) {
    double mean = 0.0;
    for (std::int64_t r = 0; r < result.replicates; ++r) {
      mean += result.divergences.row(r)[i] / count;
    }
    double squares = 0.0;
    for (std::int64_t r = 0; r < result.replicates; ++r) {
      const double deviation = result.divergences.row(r)[i] - mean;
      squares += deviation * deviation;
    }
    result.mean.push_back(mean);
    result.standard_error.push_back(
        result.replicates > 1 ? std::sqrt(squares / (count - 1.0) / count) : kNaN);
  }
  for (ApproximationWorth& worth : result.approximations) {
    worth.crossing =
        crossingOf(result.counts, result.mean, result.standard_error, worth.divergence);
  }
  return result;
}

SampleWorthTimes SampleWorth::times() const {
  const bool is_timed = state_->timed_samples > 0;
  return {is_timed ? state_->seconds / static_cast<double>(state_->timed_samples) : kNaN,
          state_->seconds_of_approximations};
}

}  // namespace dubito
