// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/weight_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/compensated_sum.h"
#include "core/context/scene_solver.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

constexpr double kSmallestGridWeight = 0x1p-6;
/// Bits of the weight; more cannot be told apart by values of the NLL.
constexpr int kWeightBits = 20;

/// log(exp(a) + exp(b))
double logOfSum(double a, double b) {
  const double larger = std::max(a, b);
  return std::isinf(larger) ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// The NLL of the labelled items as a function of the weight.
class ContextLoss {
 public:
  ContextLoss(const Run& run, const Scenes& scenes, const PairScores& scores,
              const ContextOptions& options, RunContext& context)
      : run_(run),
        scenes_(scenes),
        scores_(scores),
        options_(options),
        context_(context),
        alone_(run) {
    for (std::int64_t row = 0; row < run.itemCount(); ++row) {
      if (run.labels.data()[row] >= 0) {
        ++items_;
        in_company_ += isInCompany(row) ? 1 : 0;
      }
    }
  }

  [[nodiscard]] std::int64_t items() const { return items_; }
  [[nodiscard]] std::int64_t inCompany() const { return in_company_; }

  /// The mean NLL; infinite if it cannot be computed, with the reason in status().
  [[nodiscard]] double at(double weight) {
    const auto factors = PairFactors::create(scores_, weight);
    if (!status_ || !factors) {
      status_ = status_ ? Status(failWith(factors)) : status_;
      return std::numeric_limits<double>::infinity();
    }
    std::vector<double> log_probs = logProbsAlone();
    status_ =
        solveScenes(alone_, scenes_, *factors, options_, "fitting the weight", context_,
                    [&](std::int64_t scene, std::int64_t draw, const SceneMarginals& marginals) {
                      const auto& rows = scenes_.members[static_cast<std::size_t>(scene)];
                      for (std::size_t i = 0; i < rows.size(); ++i) {
                        const std::int64_t label = run_.labels.data()[rows[i]];
                        if (label < 0) {
                          continue;
                        }
                        const double log_prob = marginals.log_probs.row(
                            static_cast<std::int64_t>(i))[static_cast<std::size_t>(label)];
                        double& sum = log_probs[static_cast<std::size_t>(rows[i])];
                        sum = draw == 0 ? log_prob : logOfSum(sum, log_prob);
                      }
                    });
    if (!status_) {
      return std::numeric_limits<double>::infinity();
    }
    const double log_draws = std::log(static_cast<double>(alone_.drawCount()));
    CompensatedSum loss;
    for (std::int64_t row = 0; row < run_.itemCount(); ++row) {
      if (run_.labels.data()[row] >= 0) {
        loss.add((isInCompany(row) ? log_draws : 0.0) - log_probs[static_cast<std::size_t>(row)]);
      }
    }
    return loss.value() / static_cast<double>(items_);
  }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  [[nodiscard]] bool isInCompany(std::int64_t row) const {
    const std::int64_t scene = scenes_.of_row[static_cast<std::size_t>(row)];
    return scene >= 0 && scenes_.members[static_cast<std::size_t>(scene)].size() > 1;
  }
  /// The log probability of the label of each item, as the run has it; 0 without a label.
  [[nodiscard]] std::vector<double> logProbsAlone() const {
    std::vector<double> log_probs(static_cast<std::size_t>(run_.itemCount()));
    for (std::int64_t row = 0; row < run_.itemCount(); ++row) {
      if (const std::int64_t label = run_.labels.data()[row]; label >= 0) {
        log_probs[static_cast<std::size_t>(row)] =
            std::log(std::max(run_.prob(row, label), double{std::numeric_limits<float>::min()}));
      }
    }
    return log_probs;
  }

  const Run& run_;
  const Scenes& scenes_;
  const PairScores& scores_;
  const ContextOptions& options_;
  RunContext& context_;
  LogProbsAlone alone_;
  std::int64_t items_ = 0;
  std::int64_t in_company_ = 0;
  Status status_;
};

}  // namespace

Expected<WeightFit> fitContextWeight(const Run& run, const std::string& name, const Scenes& scenes,
                                     const PairScores& scores, const ContextOptions& options,
                                     RunContext& context) {
  if (Status usable = requireProbabilities(run, name); !usable) {
    return failWith(usable);
  }
  if (Status labelled = requireLabels(run, name); !labelled) {
    return failWith(labelled);
  }
  if (Status fits = checkSceneSizes(scenes, run.classCount(), context); !fits) {
    return failWith(fits);
  }
  ContextLoss loss(run, scenes, scores, options, context);
  if (loss.inCompany() == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: no labelled item shares a scene of {} with another item, so no "
                            "weight can be fitted; give other scenes, or a weight",
                            name, scenes.source),
                {setting("weight")});
  }
  std::vector<double> grid = {0.0};
  const double last = std::min(kLargestContextWeight, scores.maxWeight());
  for (int step = 0;; ++step) {
    const double weight = kSmallestGridWeight * std::pow(2.0, 0.5 * step);
    if (weight >= last) {
      grid.push_back(last);
      break;
    }
    grid.push_back(weight);
  }
  std::vector<double> losses;
  for (const double weight : grid) {
    losses.push_back(loss.at(weight));
    if (!loss.status()) {
      return failWith(loss.status());
    }
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
  WeightFit fit{.weight = grid[best],
                .nll_before = losses.front(),
                .nll_after = losses[best],
                .items = loss.items(),
                .in_company = loss.inCompany()};
  const double low = grid[best == 0 ? 0 : best - 1];
  const double high = grid[std::min(best + 1, grid.size() - 1)];
  const auto [weight, nll] = boost::math::tools::brent_find_minima(
      [&loss](double at) { return loss.at(at); }, low, high, kWeightBits);
  if (!loss.status()) {
    return failWith(loss.status());
  }
  if (nll < fit.nll_after) {
    fit.weight = weight;
    fit.nll_after = nll;
  }
  // Closer to 0, only rounding makes a difference.
  if (fit.weight < 1e-4 * kSmallestGridWeight) {
    fit.weight = 0.0;
    fit.nll_after = fit.nll_before;
    fit.limit = WeightLimit::kNone;
  } else if (fit.weight >= last * (1.0 - 1e-5)) {
    fit.weight = last;
    fit.limit = WeightLimit::kLargest;
  }
  return fit;
}

std::string describe(const WeightFit& fit) {
  std::string text = fmt::format(
      "Context weight {:.6g}, fitted on {} items, {} of which share a scene: NLL {:.4g} -> {:.4g}",
      fit.weight, fit.items, fit.in_company, fit.nll_before, fit.nll_after);
  if (fit.limit == WeightLimit::kNone) {
    text +=
        "; clamped: any influence of the scenes makes these predictions worse, so nothing is "
        "changed; check scenes and co-occurrence";
  } else if (fit.limit == WeightLimit::kLargest) {
    text +=
        "; clamped at the largest weight considered: the scenes say more about these items than "
        "the predictions";
  }
  return text;
}

}  // namespace dubito
