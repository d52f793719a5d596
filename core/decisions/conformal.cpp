// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "core/io/log_rest.h"
#include "core/io/run_needs.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kScoredAtATime = 4096;

/// Calls `take(item, scores of its classes)` for the items [begin, end).
template <class Take>
void forEachRow(const Run& run, const ConformalOptions& options, std::int64_t begin,
                std::int64_t end, const Take& take) {
  ConformalScorer scorer(options);
  std::visit(
      [&](const auto& probs) {
        for (std::int64_t i = begin; i < end; ++i) {
          take(i, scorer(probs.row(i)));
        }
      },
      *run.probs);
}

}  // namespace

std::vector<Field> ConformalOptions::fields() {
  const Requirement raps = allUnless(score == "raps", {setting("score", "raps")});
  return {
      {{.name = "alpha",
        .label = "Alpha",
        .help = "allowed share of items whose true class is not in their set",
        .min = 1e-9,
        .max = 1.0 - 1e-9},
       &alpha},
      {{.name = "score",
        .label = "Score",
        .help = "nonconformity score of a class",
        .choices = {"lac", "aps", "raps"}},
       &score},
      {{.name = "penalty",
        .label = "Penalty",
        .help = "raps: added for each rank beyond the free ranks",
        .min = 0.0,
        .max = 1e6,
        .unmet_requirement = raps},
       &penalty},
      {{.name = "free_ranks",
        .label = "Free ranks",
        .help = "raps: number of ranks without a penalty",
        .min = 0,
        .max = 1e9,
        .unmet_requirement = raps},
       &free_ranks},
  };
}

Status ConformalOptions::check() const {
  ConformalOptions copy = *this;
  return checkFields(copy.fields());
}

ConformalScorer::ConformalScorer(const ConformalOptions& options)
    : options_(options), by_rank_(options.score != "lac") {}

template <class T>
std::span<const double> ConformalScorer::compute(std::span<const T> probs) {
  scores_.resize(probs.size());
  if (!by_rank_) {
    std::ranges::transform(probs, scores_.begin(), [](T prob) { return 1.0 - double{prob}; });
    // For a class close to 1, the sum of the others is more accurate than 1 - p.
    const auto top = std::ranges::max_element(probs) - probs.begin();
    double& score = scores_[static_cast<std::size_t>(top)];
    if (score < kResolvedRest<T>) {
      score = std::min(std::exp(logRest(probs, top)), kResolvedRest<T>);
    }
    return scores_;
  }
  order_.resize(probs.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, [&probs](std::size_t a, std::size_t b) {
    return probs[a] > probs[b] || (probs[a] == probs[b] && a < b);
  });
  const double penalty = options_.score == "raps" ? options_.penalty : 0.0;
  // Probability of the classes after each rank, summed from the smallest.
  tails_.resize(probs.size());
  double tail = 0.0;
  for (std::size_t rank = probs.size(); rank-- > 0;) {
    tails_[rank] = tail;
    tail += double{probs[order_[rank]]};
  }
  double sum = 0.0;
  for (std::size_t rank = 0; rank < order_.size(); ++rank) {
    sum += double{probs[order_[rank]]};
    // Rows sum to 1 only up to rounding, which must not exclude the last class from a set; close to
    // 1, the sum of the remaining classes is more accurate.
    const double cumulative =
        tails_[rank] < kResolvedRest<T> ? 1.0 - tails_[rank] : std::min(sum, 1.0);
    const auto beyond = static_cast<std::int64_t>(rank) + 1 - options_.free_ranks;
    scores_[order_[rank]] =
        cumulative + penalty * static_cast<double>(std::max<std::int64_t>(0, beyond));
  }
  return scores_;
}

std::span<const double> ConformalScorer::operator()(std::span<const double> probs) {
  return compute(probs);
}
std::span<const double> ConformalScorer::operator()(std::span<const float> probs) {
  return compute(probs);
}

std::int64_t conformalOrder(std::int64_t n, double alpha) {
  return n + 1 - static_cast<std::int64_t>(std::floor(static_cast<double>(n + 1) * alpha + 1e-9));
}

std::vector<double> calibrationScoresOf(const Run& run, const ConformalOptions& options,
                                        const RunContext& context) {
  const std::int64_t items = run.itemCount();
  const std::int64_t* const labels = run.labels.data();
  std::vector<double> scores(static_cast<std::size_t>(items));
  context.parallelFor(items, kScoredAtATime, [&](std::int64_t begin, std::int64_t end) {
    forEachRow(run, options, begin, end, [&](std::int64_t i, std::span<const double> row) {
      scores[static_cast<std::size_t>(i)] =
          labels[i] < 0 ? 0.0 : row[static_cast<std::size_t>(labels[i])];
    });
  });
  std::size_t kept = 0;
  for (std::int64_t i = 0; i < items; ++i) {
    if (labels[i] >= 0) {
      scores[kept++] = scores[static_cast<std::size_t>(i)];
    }
  }
  scores.resize(kept);
  return scores;
}

Expected<ConformalThreshold> calibrateConformal(const Run& run, const std::string& name,
                                                const ConformalOptions& options,
                                                const RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (Status usable = requireProbabilities(run, name); !usable) {
    return failWith(usable);
  }
  if (Status labelled = requireLabels(run, name); !labelled) {
    return failWith(labelled);
  }
  std::vector<double> scores = calibrationScoresOf(run, options, context);
  ConformalThreshold result;
  result.n = static_cast<std::int64_t>(scores.size());
  result.order = conformalOrder(result.n, options.alpha);
  if (result.order > result.n) {
    result.threshold = std::numeric_limits<double>::infinity();
    return result;
  }
  const auto nth = scores.begin() + (result.order - 1);
  std::ranges::nth_element(scores, nth);
  result.threshold = *nth;
  return result;
}

std::vector<std::int64_t> conformalSet(std::span<const double> scores, double threshold) {
  std::vector<std::int64_t> classes;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (scores[k] <= threshold) {
      classes.push_back(static_cast<std::int64_t>(k));
    }
  }
  return classes;
}

double ConformalSets::coverage() const {
  return labelled == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(covered) / static_cast<double>(labelled);
}

double ConformalSets::meanSize() const {
  double sum = 0.0;
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    sum += static_cast<double>(size) * static_cast<double>(sizes[size]);
  }
  return sum / static_cast<double>(items);
}

double ConformalSets::emptyShare() const {
  return static_cast<double>(sizes.front()) / static_cast<double>(items);
}

Expected<ConformalSets> conformalSets(const Run& run, const std::string& name, double threshold,
                                      const ConformalOptions& options, RunContext& context) {
  if (Status usable = requireProbabilities(run, name); !usable) {
    return failWith(usable);
  }
  ConformalSets sets;
  sets.items = run.itemCount();
  sets.sizes.assign(static_cast<std::size_t>(run.classCount()) + 1, 0);
  const std::int64_t* const labels = run.labels.data();
  std::mutex mutex;
  context.parallelFor(sets.items, kScoredAtATime, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    ConformalSets part;
    part.sizes.assign(sets.sizes.size(), 0);
    forEachRow(run, options, begin, end, [&](std::int64_t i, std::span<const double> scores) {
      const auto in_set = [threshold](double score) { return score <= threshold; };
      ++part.sizes[static_cast<std::size_t>(std::ranges::count_if(scores, in_set))];
      if (labels[i] >= 0) {
        ++part.labelled;
        part.covered += in_set(scores[static_cast<std::size_t>(labels[i])]) ? 1 : 0;
      }
    });
    const std::scoped_lock lock(mutex);
    std::ranges::transform(sets.sizes, part.sizes, sets.sizes.begin(), std::plus<>());
    sets.labelled += part.labelled;
    sets.covered += part.covered;
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return sets;
}

}  // namespace dubito
