// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/predictive_summary.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/measures/measures.h"

namespace dubito {
namespace {

// Enough work for a part to be worth a thread, few enough for a quick cancel.
constexpr std::int64_t kElementsPerPart = std::int64_t{1} << 16;

/// One pass over the draws of single items, with scratch memory of its own: one a part.
template <class T>
class ItemSummariser {
 public:
  ItemSummariser(const Array<T>& probs, PredictiveSummary& summary)
      : probs_(probs),
        summary_(summary),
        draws_(probs.extent(0)),
        classes_(probs.extent(2)),
        votes_(static_cast<std::size_t>(classes_)) {}

  void summarise(std::int64_t item) {
    const std::span<double> mean = summary_.mean_probs.mutableRow(item);
    const std::span<double> variance = summary_.variance.mutableRow(item);
    std::fill(votes_.begin(), votes_.end(), 0);
    double sum_of_entropies = 0.0;
    for (std::int64_t t = 0; t < draws_; ++t) {
      const std::span<const T> row = rowOf(t, item);
      for (std::size_t k = 0; k < row.size(); ++k) {
        mean[k] += double{row[k]};
      }
      sum_of_entropies += entropy_(row);
      ++votes_[static_cast<std::size_t>(argmax(row))];
    }
    const auto draws = static_cast<double>(draws_);
    for (double& value : mean) {
      value /= draws;
    }
    // The second pass about the mean: the sum of squares would cancel for confident items.
    for (std::int64_t t = 0; t < draws_; ++t) {
      const std::span<const T> row = rowOf(t, item);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double deviation = double{row[k]} - mean[k];
        variance[k] += deviation * deviation;
      }
    }
    for (double& value : variance) {
      value /= draws;
    }
    const double entropy = entropy_(std::span<const double>(mean));
    const double expected_entropy = sum_of_entropies / draws;
    summary_.entropy.mutableData()[item] = entropy;
    summary_.expected_entropy.mutableData()[item] = expected_entropy;
    summary_.mutual_information.mutableData()[item] = std::max(0.0, entropy - expected_entropy);
    const auto modal = static_cast<double>(*std::max_element(votes_.begin(), votes_.end()));
    summary_.variation_ratio.mutableData()[item] = 1.0 - modal / draws;
    summary_.confidence.mutableData()[item] = confidenceOf(std::span<const double>(mean));
  }

 private:
  std::span<const T> rowOf(std::int64_t draw, std::int64_t item) const {
    return {probs_.data() + (draw * probs_.extent(1) + item) * classes_,
            static_cast<std::size_t>(classes_)};
  }

  const Array<T>& probs_;
  PredictiveSummary& summary_;
  std::int64_t draws_;
  std::int64_t classes_;
  std::vector<std::int64_t> votes_;
  EntropyCalculator entropy_;
};

template <class T>
PredictiveSummary summarise(const Array<T>& probs, const RunContext& context) {
  if (probs.rank() != 3 || probs.extent(0) < 1 || probs.extent(2) < 1) {
    throw std::invalid_argument(
        "summariseDraws: probabilities [T, N, K] with T, K >= 1 are needed");
  }
  const std::int64_t items = probs.extent(1);
  const std::int64_t classes = probs.extent(2);
  PredictiveSummary summary;
  summary.mean_probs = Array<double>::zeros({items, classes});
  summary.variance = Array<double>::zeros({items, classes});
  summary.entropy = Array<double>::zeros({items});
  summary.expected_entropy = Array<double>::zeros({items});
  summary.mutual_information = Array<double>::zeros({items});
  summary.variation_ratio = Array<double>::zeros({items});
  summary.confidence = Array<double>::zeros({items});
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPart / (probs.extent(0) * classes));
  context.parallelFor(items, grain, [&](std::int64_t begin, std::int64_t end) {
    ItemSummariser<T> summariser(probs, summary);
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      summariser.summarise(i);
    }
  });
  return summary;
}

}  // namespace

PredictiveSummary summariseDraws(const Array<float>& probs, const RunContext& context) {
  return summarise(probs, context);
}
PredictiveSummary summariseDraws(const Array<double>& probs, const RunContext& context) {
  return summarise(probs, context);
}

}  // namespace dubito
