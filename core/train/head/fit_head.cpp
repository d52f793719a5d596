// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/fit_head.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/train/head/feature_frame.h"
#include "core/train/head/held_out_trials.h"

namespace dubito {
namespace {

constexpr std::int64_t kChoiceFolds = 5;
/// With fewer items, the loss on those held out says little.
constexpr std::int64_t kFewestToChoose = 10;
/// Of candidatePenalties(), if nothing can be chosen.
constexpr std::size_t kUsualCandidate = 2;
/// More items only cost time: the prior depends on the features, not on the number of items.
constexpr std::int64_t kMaxToChoose = 2'000;

SoftmaxRegressionOptions regressionOptions(const HeadItems& items, const HeadOptions& options,
                                           double l2) {
  return {.classes = items.classes,
          .has_bias = items.has_bias,
          .l2 = l2,
          .max_iterations = options.iterations,
          .patience = options.patience};
}

/// Every class in the same proportion, chosen by seed and id.
HeadItems sampleOf(const HeadItems& items, std::uint64_t seed) {
  const std::int64_t parts = (items.train.size() + kMaxToChoose - 1) / kMaxToChoose;
  if (parts == 1) {
    return items;
  }
  const auto part_of = heldOutParts(items.train.labels, items.ids, parts, seed);
  HeadItems sample{.classes = items.classes, .has_bias = items.has_bias};
  std::vector<float> values;
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    if (part_of[i] == 0) {
      const auto row = items.train.features.row(static_cast<std::int64_t>(i));
      values.insert(values.end(), row.begin(), row.end());
      sample.train.labels.push_back(items.train.labels[i]);
      sample.ids.push_back(items.ids[i]);
    }
  }
  sample.train.features = Array<float>::fromVector(
      {sample.train.size(), items.train.features.extent(1)}, std::move(values));
  return sample;
}

/// Fits with every candidate; the lowest validation loss wins.
Expected<FittedHead> fitToValidation(const HeadItems& items, const HeadOptions& options,
                                     RunContext& context) {
  std::optional<FittedHead> best;
  for (const double l2 : candidatePenalties(items.train, items.has_bias)) {
    auto fitted = fitSoftmaxRegression(items.train, items.validation,
                                       regressionOptions(items, options, l2), context);
    if (!fitted) {
      return failWith(fitted);
    }
    if (!best || fitted->validation->loss < best->regression.validation->loss) {
      best = FittedHead{.regression = *std::move(fitted), .l2 = l2};
    }
  }
  return *std::move(best);
}

/// Trials need no exact optimum.
constexpr double kTrialTolerance = 1e-5;

Expected<std::vector<HeldOutTrial>> trialsOf(const HeadItems& items,
                                             std::span<const std::int64_t> part_of,
                                             std::int64_t folds, std::span<const double> penalties,
                                             const HeadOptions& options, RunContext& context) {
  SoftmaxRegressionOptions of_trials = regressionOptions(items, options, 0.0);
  of_trials.tolerance = kTrialTolerance;
  return heldOutTrials(items.train, part_of, folds, penalties, of_trials, context);
}

RightCount accuracyOf(const std::vector<HeldOutTrial>& trials,
                      std::span<const std::int64_t> part_of, std::int64_t folds) {
  return {static_cast<std::int64_t>(part_of.size()), heldOutRight(trials, part_of, folds)};
}

/// Chooses the penalty of a fit of all items; measures the accuracy, too, if the trials are of all
/// items.
Status choosePenalty(const HeadItems& items, const HeadOptions& options, FittedHead& head,
                     RunContext& context) {
  const std::vector<double> candidates = candidatePenalties(items.train, items.has_bias);
  if (items.train.size() < kFewestToChoose || candidates.size() == 1) {
    head.l2 = candidates[std::min(kUsualCandidate, candidates.size() - 1)];
    return {};
  }
  const HeadItems sample = sampleOf(items, context.seed);
  const bool of_all = sample.train.size() == items.train.size();
  const std::int64_t folds =
      of_all && options.folds > 0 ? std::min(options.folds, items.train.size()) : kChoiceFolds;
  const auto part_of = heldOutParts(sample.train.labels, sample.ids, folds, context.seed);
  const auto trials = trialsOf(sample, part_of, folds,
                               candidatePenalties(sample.train, sample.has_bias), options, context);
  if (!trials) {
    return failWith(trials);
  }
  // The same prior for more items.
  head.l2 = (*trials)[bestTrial(*trials, part_of)].l2 * static_cast<double>(sample.train.size()) /
            static_cast<double>(items.train.size());
  if (of_all && options.folds > 0) {
    head.held_out = accuracyOf(*trials, part_of, folds);
  }
  return {};
}

/// How often fits with this penalty are right about items that they have not seen.
Status measureAccuracy(const HeadItems& items, const HeadOptions& options, FittedHead& head,
                       RunContext& context) {
  const std::int64_t folds = std::min(options.folds, items.train.size());
  const auto part_of = heldOutParts(items.train.labels, items.ids, folds, context.seed);
  const auto trials = trialsOf(items, part_of, folds, std::vector{head.l2}, options, context);
  if (!trials) {
    return failWith(trials);
  }
  head.held_out = accuracyOf(*trials, part_of, folds);
  return {};
}

/// Fits with the penalty of the options, or one that is chosen.
Expected<FittedHead> fitAsGiven(const HeadItems& items, const HeadOptions& options,
                                RunContext& context) {
  if (!options.l2 && items.validation.size() > 0) {
    return fitToValidation(items, options, context);
  }
  FittedHead head;
  if (options.l2) {
    head.l2 = *options.l2;
  } else if (Status chosen = choosePenalty(items, options, head, context); !chosen) {
    return failWith(chosen);
  }
  if (options.folds > 0 && !head.held_out) {
    if (Status measured = measureAccuracy(items, options, head, context); !measured) {
      return failWith(measured);
    }
  }
  auto fitted = fitSoftmaxRegression(items.train, items.validation,
                                     regressionOptions(items, options, head.l2), context);
  if (!fitted) {
    return failWith(fitted);
  }
  head.regression = *std::move(fitted);
  return head;
}

}  // namespace

Expected<FittedHead> fitHead(const HeadItems& items, const HeadOptions& options,
                             RunContext& context) {
  if (options.l2) {
    return fitAsGiven(items, options, context);
  }
  const FeatureFrame frame(items.train, items.has_bias);
  const HeadItems framed{.train = frame.framed(items.train),
                         .ids = items.ids,
                         .validation = frame.framed(items.validation),
                         .classes = items.classes,
                         .has_bias = items.has_bias};
  auto fitted = fitAsGiven(framed, options, context);
  if (fitted) {
    fitted->regression.head = frame.unframed(std::move(fitted->regression.head));
    fitted->l2 *= frame.scale() * frame.scale();
  }
  return fitted;
}

}  // namespace dubito
