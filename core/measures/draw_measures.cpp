// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/draw_measures.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "core/measures/of_items.h"

namespace dubito {
namespace {

// Large enough for a part to be worth a thread, small enough for a quick cancel.
constexpr std::int64_t kElementsPerPart = std::int64_t{1} << 16;

template <class T>
std::span<const T> rowOf(const Array<T>& draws, std::int64_t draw, std::int64_t item) {
  const std::int64_t classes = draws.extent(2);
  return {draws.data() + (draw * draws.extent(1) + item) * classes,
          static_cast<std::size_t>(classes)};
}

/// Draws given as probabilities.
template <class T>
class ProbDraws {
 public:
  using Value = T;
  explicit ProbDraws(const Array<T>& probs) : probs_(probs) {}

  void setItem(std::int64_t item) { item_ = item; }
  std::span<const T> probs(std::int64_t draw) const { return rowOf(probs_, draw, item_); }
  double entropy(std::int64_t draw) { return entropy_(probs(draw)); }
  double entropyOfMean(std::span<const double> mean, std::int64_t /*winner*/) {
    return entropy_(mean);
  }
  double logRestOfMean(std::span<const double> mean, std::int64_t winner) const {
    return logRest(mean, winner);
  }

 private:
  const Array<T>& probs_;
  std::int64_t item_ = 0;
  EntropyCalculator entropy_;
};

/// Draws given as logits; keeps the probabilities of one item at a time.
template <class T>
class LogitDraws {
 public:
  using Value = double;
  explicit LogitDraws(const Array<T>& logits) : logits_(logits) {}

  void setItem(std::int64_t item) {
    item_ = item;
    probs_.clear();
    for (std::int64_t t = 0; t < logits_.extent(0); ++t) {
      probs_.push_back(softmax(rowOf(logits_, t, item)));
    }
  }
  std::span<const double> probs(std::int64_t draw) const {
    return probs_[static_cast<std::size_t>(draw)];
  }
  double entropy(std::int64_t draw) const {
    return measuresOfLogits(rowOf(logits_, draw, item_)).entropy;
  }

  double entropyOfMean(std::span<const double> mean, std::int64_t winner) const {
    if (probs_.size() == 1) {
      return entropy(0);
    }
    double rest = 0.0;
    double entropy = 0.0;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      if (static_cast<std::int64_t>(k) != winner && !(mean[k] <= 0.0)) {
        rest += mean[k];
        entropy -= mean[k] * std::log(mean[k]);
      }
    }
    // The likeliest class has 1 - rest, which is more accurate than its own sum.
    entropy -= mean[static_cast<std::size_t>(winner)] * std::log1p(-std::min(rest, 1.0));
    return std::clamp(entropy, 0.0, std::log(static_cast<double>(mean.size())));
  }

  double logRestOfMean(std::span<const double> /*mean*/, std::int64_t winner) const {
    std::vector<double> of_draws;
    for (std::int64_t t = 0; t < logits_.extent(0); ++t) {
      of_draws.push_back(logRestOfLogits(rowOf(logits_, t, item_), winner));
    }
    return logSumExp(std::span<const double>(of_draws)) -
           std::log(static_cast<double>(of_draws.size()));
  }

 private:
  const Array<T>& logits_;
  std::int64_t item_ = 0;
  std::vector<std::vector<double>> probs_;
};

/// Summarises single items; one per part, with its own scratch memory.
template <class Draws>
class ItemSummariser {
 public:
  using T = typename Draws::Value;

  ItemSummariser(Draws source, std::int64_t draws, std::int64_t classes, PredictiveSummary& summary)
      : source_(std::move(source)),
        summary_(summary),
        draws_(draws),
        votes_(static_cast<std::size_t>(classes)) {}

  void summarise(std::int64_t item) {
    source_.setItem(item);
    const std::span<double> mean = summary_.mean_probs.mutableRow(item);
    std::fill(votes_.begin(), votes_.end(), 0);
    double sum_of_entropies = 0.0;
    for (std::int64_t t = 0; t < draws_; ++t) {
      const std::span<const T> row = source_.probs(t);
      for (std::size_t k = 0; k < row.size(); ++k) {
        mean[k] += double{row[k]};
      }
      sum_of_entropies += source_.entropy(t);
      ++votes_[static_cast<std::size_t>(argmax(row))];
    }
    const auto draws = static_cast<double>(draws_);
    for (double& value : mean) {
      value /= draws;
    }
    // A second pass about the mean: sums of squares would cancel for confident items.
    double squares = 0.0;
    for (std::int64_t t = 0; t < draws_; ++t) {
      const std::span<const T> row = source_.probs(t);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double deviation = double{row[k]} - mean[k];
        squares += deviation * deviation;
      }
    }
    summary_.variance.mutableData()[item] = squares / draws;
    const std::int64_t winner = argmax(std::span<const double>(mean));
    const double expected_entropy = sum_of_entropies / draws;
    const double entropy =
        std::isnan(expected_entropy) ? expected_entropy : source_.entropyOfMean(mean, winner);
    summary_.entropy.mutableData()[item] = entropy;
    summary_.expected_entropy.mutableData()[item] = expected_entropy;
    // Not std::max: NaN must stay.
    summary_.mutual_information.mutableData()[item] =
        entropy < expected_entropy ? 0.0 : entropy - expected_entropy;
    const auto modal = static_cast<double>(*std::max_element(votes_.begin(), votes_.end()));
    summary_.variation_ratio.mutableData()[item] = 1.0 - modal / draws;
    summary_.confidence.mutableData()[item] = mean[static_cast<std::size_t>(winner)];
    summary_.predictions.mutableData()[item] = winner;
    summary_.log_rest.mutableData()[item] = source_.logRestOfMean(mean, winner);
  }

 private:
  Draws source_;
  PredictiveSummary& summary_;
  std::int64_t draws_;
  std::vector<std::int64_t> votes_;
};

template <class Draws, class T>
PredictiveSummary summarise(const Array<T>& draws, const RunContext& context) {
  if (draws.rank() != 3 || draws.extent(0) < 1 || draws.extent(2) < 1) {
    throw std::invalid_argument("summariseDraws: needs draws [T, N, K] with T, K >= 1");
  }
  const std::int64_t items = draws.extent(1);
  const std::int64_t classes = draws.extent(2);
  PredictiveSummary summary = emptySummary(items, classes);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPart / (draws.extent(0) * classes));
  context.parallelFor(items, grain, [&](std::int64_t begin, std::int64_t end) {
    ItemSummariser<Draws> summariser(Draws(draws), draws.extent(0), classes, summary);
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      summariser.summarise(i);
    }
  });
  return summary;
}

}  // namespace

PredictiveSummary emptySummary(std::int64_t items, std::int64_t classes) {
  PredictiveSummary summary;
  summary.mean_probs = Array<double>::zeros({items, classes});
  for (Array<double>* const array :
       {&summary.entropy, &summary.expected_entropy, &summary.mutual_information,
        &summary.variation_ratio, &summary.variance, &summary.confidence, &summary.log_rest}) {
    *array = Array<double>::zeros({items});
  }
  summary.predictions = Array<std::int64_t>::zeros({items});
  return summary;
}

PredictiveSummary summariseDraws(const Array<float>& probs, const RunContext& context) {
  return summarise<ProbDraws<float>>(probs, context);
}
PredictiveSummary summariseDraws(const Array<double>& probs, const RunContext& context) {
  return summarise<ProbDraws<double>>(probs, context);
}

PredictiveSummary summariseDrawsOfLogits(const Array<float>& logits, const RunContext& context) {
  return summarise<LogitDraws<float>>(logits, context);
}
PredictiveSummary summariseDrawsOfLogits(const Array<double>& logits, const RunContext& context) {
  return summarise<LogitDraws<double>>(logits, context);
}

Array<double> drawVariances(const Array<float>& probs, const RunContext& context) {
  const std::int64_t draws = probs.extent(0);
  const std::int64_t items = probs.extent(1);
  const std::int64_t classes = probs.extent(2);
  return computePerItem(items, context, [&] {
    return [&, shifts =
                   std::vector<double>(static_cast<std::size_t>(classes))](std::int64_t i) mutable {
      // Deviations from the first draw: plain sums of squares would cancel for confident items.
      const float* const first = probs.data() + i * classes;
      std::ranges::fill(shifts, 0.0);
      double squares = 0.0;
      for (std::int64_t t = 1; t < draws; ++t) {
        const float* const draw = first + t * items * classes;
        for (std::int64_t k = 0; k < classes; ++k) {
          const double deviation = double{draw[k]} - double{first[k]};
          shifts[static_cast<std::size_t>(k)] += deviation;
          squares += deviation * deviation;
        }
      }
      const auto count = static_cast<double>(draws);
      double squared_mean = 0.0;
      for (const double shift : shifts) {
        squared_mean += (shift / count) * (shift / count);
      }
      return std::max(0.0, squares / count - squared_mean);
    };
  });
}

Array<double> variationRatios(const Array<float>& probs, const RunContext& context) {
  const std::int64_t draws = probs.extent(0);
  const std::int64_t classes = probs.extent(2);
  return computePerItem(probs.extent(1), context, [&] {
    return [&, votes = std::vector<std::int64_t>(static_cast<std::size_t>(classes))](
               std::int64_t i) mutable {
      std::ranges::fill(votes, 0);
      for (std::int64_t t = 0; t < draws; ++t) {
        const auto row = probs.row(t).subspan(static_cast<std::size_t>(i * classes),
                                              static_cast<std::size_t>(classes));
        ++votes[static_cast<std::size_t>(argmax(row))];
      }
      return 1.0 - static_cast<double>(std::ranges::max(votes)) / static_cast<double>(draws);
    };
  });
}

}  // namespace dubito
