// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/prior_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/base/nan.h"
#include "core/measures/measures.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/reliability_diagram.h"

namespace dubito {
namespace {

constexpr int kPointsPerDecade = 4;
constexpr int kMinDecade = -4;
constexpr int kMaxDecade = 6;
constexpr int kPoints = (kMaxDecade - kMinDecade) * kPointsPerDecade + 1;
constexpr std::int64_t kBins = 15;

double log10TauAt(int point) {
  return kMinDecade + static_cast<double>(point) / kPointsPerDecade;
}

/// NaN if any probability is NaN, even of a class other than the label.
double nllOf(const Array<float>& probs, std::span<const std::int64_t> labels) {
  const bool finite = std::ranges::all_of(probs.values(), [](float p) { return std::isfinite(p); });
  return finite ? negativeLogLikelihood(probs, labels) : kNaN;
}

std::vector<double> confidences(const Array<float>& probs) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < probs.extent(0); ++i) {
    result.push_back(confidenceOf(probs.row(i)));
  }
  return result;
}

double eceOf(const Array<float>& probs, std::span<const std::int64_t> labels) {
  std::vector<double> confidence;
  std::vector<std::uint8_t> correct;
  for (std::int64_t i = 0; i < probs.extent(0); ++i) {
    const std::int64_t label = labels[static_cast<std::size_t>(i)];
    if (label >= 0) {
      confidence.push_back(confidenceOf(probs.row(i)));
      correct.push_back(argmax(probs.row(i)) == label ? 1 : 0);
    }
  }
  return equalWidthReliability(std::span<const double>(confidence), correct, kBins).ece;
}

}  // namespace

Expected<ChosenPrior> minimiseNll(const ProbsAtTau& probs_at, std::span<const std::int64_t> labels,
                                  RunContext& context) {
  if (std::ranges::none_of(labels, [](std::int64_t label) { return label >= 0; })) {
    return fail(ErrorCode::kInvalidArgument,
                "the calibration data has no labels, which the prior auto-nll needs; use "
                "auto-evidence",
                {setting("prior", "auto-evidence")});
  }
  int best = -1;
  int skipped = 0;
  double best_nll = std::numeric_limits<double>::infinity();
  for (int point = 0; point < kPoints; ++point) {
    if (context.step("choosing the prior", point, kPoints) == Step::kCancel) {
      return cancelled();
    }
    const auto probs = probs_at(std::pow(10.0, log10TauAt(point)));
    if (!probs) {
      return failWith(probs);
    }
    const double nll = nllOf(*probs, labels);
    skipped += std::isfinite(nll) ? 0 : 1;
    if (nll < best_nll) {
      best = point;
      best_nll = nll;
    }
  }
  if (best < 0) {
    return fail(ErrorCode::kUnsupported,
                "the NLL of the calibration data is not finite for any prior precision; set tau",
                {setting("tau")});
  }
  ChosenPrior chosen{std::pow(10.0, log10TauAt(best))};
  if (skipped > 0) {
    chosen.notes.push_back(
        fmt::format("{} of {} prior precisions gave an NLL that is not finite and were skipped",
                    skipped, kPoints));
  }
  if (best == 0 || best == kPoints - 1) {
    chosen.notes.push_back(
        fmt::format("The NLL is smallest at the end of the range, tau = {:.3g}; set tau if that "
                    "is implausible",
                    chosen.tau));
  }
  return chosen;
}

Expected<ChosenPrior> matchConfidenceDrop(const ProbsAtTau& probs_at, double map_confidence,
                                          double share, RunContext& context) {
  constexpr int kSteps = 30;
  const double target = (1.0 - share) * map_confidence;
  double low = -8.0 * std::numbers::ln10;
  double high = 12.0 * std::numbers::ln10;
  bool seen_below = false;
  bool seen_above = false;
  for (int step = 0; step < kSteps; ++step) {
    if (context.step("choosing the prior", step, kSteps) == Step::kCancel) {
      return cancelled();
    }
    const double middle = 0.5 * (low + high);
    const auto probs = probs_at(std::exp(middle));
    if (!probs) {
      return failWith(probs);
    }
    // A wider posterior is less confident. NaN means that it is far too wide.
    if (meanConfidence(confidences(*probs)) >= target) {
      high = middle;
      seen_above = true;
    } else {
      low = middle;
      seen_below = true;
    }
  }
  ChosenPrior chosen{std::exp(0.5 * (low + high))};
  if (!seen_below || !seen_above) {
    chosen.notes.push_back(fmt::format(
        "No prior precision makes the mean confidence {} by {:.3g}; tau = {:.3g} comes closest",
        seen_above ? "drop" : "drop only", share, chosen.tau));
  }
  return chosen;
}

Expected<PriorLandscape> priorLandscape(const LaplacePosterior& posterior, double n,
                                        const ProbsAtTau& probs_at,
                                        std::span<const std::int64_t> labels, RunContext& context) {
  PriorLandscape landscape;
  const bool labelled = posterior.labelled_items == posterior.items;
  for (int point = 0; point < kPoints; ++point) {
    if (context.step("metrics by prior", point, kPoints) == Step::kCancel) {
      return cancelled();
    }
    const double tau = std::pow(10.0, log10TauAt(point));
    const auto probs = probs_at(tau);
    if (!probs) {
      return failWith(probs);
    }
    const double nll = nllOf(*probs, labels);
    const bool finite = std::ranges::all_of(probs->values(), [](float p) { return p >= 0.0F; });
    landscape.log10_tau.push_back(log10TauAt(point));
    landscape.nll.push_back(std::isfinite(nll) ? nll : kNaN);
    landscape.ece.push_back(finite ? eceOf(*probs, labels) : kNaN);
    landscape.confidence.push_back(finite ? meanConfidence(confidences(*probs)) : kNaN);
    landscape.evidence.push_back(labelled ? logEvidence(posterior, {n, tau}) : kNaN);
  }
  return landscape;
}

std::string toCsv(const PriorLandscape& landscape) {
  std::string csv = "log10_tau,nll,ece,evidence,confidence\n";
  const auto field = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  for (std::size_t i = 0; i < landscape.log10_tau.size(); ++i) {
    csv += fmt::format("{},{},{},{},{}\n", field(landscape.log10_tau[i]), field(landscape.nll[i]),
                       field(landscape.ece[i]), field(landscape.evidence[i]),
                       field(landscape.confidence[i]));
  }
  return csv;
}

}  // namespace dubito
