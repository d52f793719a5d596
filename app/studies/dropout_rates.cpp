// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito::study {
namespace {

struct RatesArguments {
  std::int64_t seeds = 5;
  std::int64_t steps = DropoutRateOptions().steps;
  bool grid = false;
  std::string csv;
};

/// A way to move p, as a change of the default options.
struct Variant {
  const char* name;
  void (*change)(DropoutRateOptions& options);
};

constexpr std::array<Variant, 5> kVariants{{
    {"score", [](DropoutRateOptions&) {}},
    {"score, p in [0.05, 0.95]", [](DropoutRateOptions& options) { options.margin = 0.05; }},
    {"score, half the step", [](DropoutRateOptions& options) { options.rate_step *= 0.5; }},
    {"exact", [](DropoutRateOptions& options) { options.estimator = "exact"; }},
    {"coordinate",
     [](DropoutRateOptions& options) {
       options.estimator = "coordinate";
       // The error of the mean network soon changes little.
       options.rate_step = 2e-4;
     }},
}};

/// Weights that converge before p has moved far, instead of those of the report.
void useConvergedWeights(DropoutRateOptions& options) {
  options.optimiser = "adam";
  options.learning_rate = 0.01;
  options.initial_std = 0.1;
}

// Bounds that classify the end of a run, by the mean of p over its last fifth.
constexpr double kAtBoundary = 0.02;
constexpr double kNearReport = 0.05;

/// The ends of the runs from one start.
struct Ends {
  std::int64_t zero = 0;
  std::int64_t one = 0;
  std::int64_t near_report = 0;  ///< within kNearReport of the value of the report
  std::int64_t inside = 0;       ///< between the boundaries, those included
  double sum_inside = 0.0;       ///< of p
};

void count(Ends& ends, const RateTrajectory& run) {
  if (run.mean_keep < kAtBoundary) {
    ++ends.zero;
  } else if (run.mean_keep > 1.0 - kAtBoundary) {
    ++ends.one;
  } else {
    ++ends.inside;
    ends.sum_inside += run.mean_keep;
    const double distance = std::abs(run.mean_keep - DropoutRateLab::kReportedKeep);
    ends.near_report += distance <= kNearReport ? 1 : 0;
  }
}

Expected<DropoutRatePicture> finishedRates(const DropoutRateOptions& options, std::uint64_t seed,
                                           const std::string& stage, RunContext& context) {
  auto lab = DropoutRateLab::start(options, seed);
  if (!lab) {
    return failWith(lab);
  }
  constexpr std::int64_t kStepsPerReport = 50;
  while ((*lab)->done() < (*lab)->total()) {
    if (Status advanced = (*lab)->advance(kStepsPerReport, context); !advanced) {
      return failWith(advanced);
    }
    if (context.step(stage, (*lab)->done(), (*lab)->total()) == Step::kCancel) {
      return cancelled();
    }
  }
  return (*lab)->picture(context);
}

std::string endsLine(const std::string& name, double start, const Ends& ends) {
  const std::string inside =
      ends.inside == 0 ? ""
                       : fmt::format("{:.3f}", ends.sum_inside / static_cast<double>(ends.inside));
  return fmt::format("\"{}\",{:.1f},{},{},{},{},{}", name, start, ends.zero, ends.inside, ends.one,
                     inside, ends.near_report);
}

/// Where p ends from each start, by every variant, with the weights of the report and with
/// converged ones.
Status compareEnds(const RatesArguments& arguments, RunContext& context) {
  std::vector<std::string> lines = {
      "gradient,start,at_0,inside,at_1,mean_p_inside,within_0.05_of_0.37"};
  for (const bool converged : {false, true}) {
    for (const Variant& variant : kVariants) {
      DropoutRateOptions options;
      options.steps = arguments.steps;
      variant.change(options);
      if (converged) {
        useConvergedWeights(options);
      }
      const std::string name = variant.name + std::string(converged ? ", converged weights" : "");
      // Concrete dropout is the same in every variant but the steps; it is reported once.
      options.concrete = variant.name == std::string("score");
      std::vector<Ends> ends(static_cast<std::size_t>(options.starts) + 1);
      DropoutRatePicture picture;
      for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
        auto finished = finishedRates(options, static_cast<std::uint64_t>(seed), name, context);
        if (!finished) {
          return failWith(finished);
        }
        picture = *std::move(finished);
        for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
          count(ends[i], picture.trajectories[i]);
        }
      }
      for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
        const RateTrajectory& run = picture.trajectories[i];
        const bool is_concrete = run.estimator == RateEstimator::kConcrete;
        lines.push_back(endsLine(
            is_concrete ? std::string("concrete") + (converged ? ", converged weights" : "") : name,
            run.start, ends[i]));
      }
    }
  }
  return writeLines(arguments.csv, lines);
}

/// The ELBO at each p of the grid, mean over the seeds.
Status compareGrid(const RatesArguments& arguments, RunContext& context) {
  std::vector<std::string> lines = {
      "p,elbo,std_over_seeds,by_masks,standard_error,last_fifth,log_likelihood,log_prior,entropy"};
  std::vector<DropoutRatePicture> pictures;
  for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
    DropoutRateOptions options;
    options.steps = arguments.steps;
    options.starts = 1;
    options.concrete = false;
    auto picture = finishedRates(options, static_cast<std::uint64_t>(seed), "grid", context);
    if (!picture) {
      return failWith(picture);
    }
    pictures.push_back(*std::move(picture));
  }
  const auto n = static_cast<double>(pictures.size());
  for (std::size_t i = 0; i < pictures.front().grid.size(); ++i) {
    const auto meanOf = [&](const auto& value) {
      double sum = 0.0;
      for (const DropoutRatePicture& picture : pictures) {
        sum += value(picture.grid[i]);
      }
      return sum / n;
    };
    const double mean = meanOf([](const RateGridPoint& point) { return point.elbo.total(); });
    const double variance = meanOf([&](const RateGridPoint& point) {
      return (point.elbo.total() - mean) * (point.elbo.total() - mean);
    });
    lines.push_back(fmt::format(
        "{:.2f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}",
        pictures.front().grid[i].keep, mean, std::sqrt(variance * n / std::max(n - 1.0, 1.0)),
        meanOf([](const RateGridPoint& point) { return point.estimate; }),
        meanOf([](const RateGridPoint& point) { return point.standard_error; }),
        meanOf([](const RateGridPoint& point) { return point.tail_mean; }),
        meanOf([](const RateGridPoint& point) { return point.elbo.log_likelihood; }),
        meanOf([](const RateGridPoint& point) { return point.elbo.log_prior; }),
        meanOf([](const RateGridPoint& point) { return point.elbo.entropy; })));
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study dropoutRates(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "dropout-rates",
      "where the dropout rate ends from each start, or the ELBO at fixed rates, as CSV");
  const auto arguments = std::make_shared<RatesArguments>();
  app->add_option("--seeds", arguments->seeds, "number of repetitions")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--steps", arguments->steps, "steps of each run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_flag("--grid", arguments->grid, "the ELBO at fixed rates instead of the ends");
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) {
            return arguments->grid ? compareGrid(*arguments, context)
                                   : compareEnds(*arguments, context);
          }};
}

}  // namespace dubito::study
