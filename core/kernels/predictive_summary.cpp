// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/predictive_summary.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/cpu/predictive_summary_cpu.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

#ifdef DUBITO_HAS_HIGHWAY

// Enough work for a part to be worth a thread, few enough for a quick cancel.
constexpr std::int64_t kElementsPerPart = std::int64_t{1} << 17;

PredictiveSummary summarise(const Array<float>& input, bool input_is_logits, float* probs_of_draws,
                            const RunContext& context) {
  const std::int64_t items = input.extent(1);
  const std::int64_t classes = input.extent(2);
  PredictiveSummary summary;
  for (Array<double>* const array : {&summary.mean_probs, &summary.variance}) {
    *array = Array<double>::zeros({items, classes});
  }
  for (Array<double>* const array :
       {&summary.entropy, &summary.expected_entropy, &summary.mutual_information,
        &summary.variation_ratio, &summary.confidence}) {
    *array = Array<double>::zeros({items});
  }
  SummaryTask task;
  task.input = input.data();
  task.input_is_logits = input_is_logits;
  task.draws = input.extent(0);
  task.items = items;
  task.classes = classes;
  task.mean_probs = summary.mean_probs.mutableData();
  task.variance = summary.variance.mutableData();
  task.entropy = summary.entropy.mutableData();
  task.expected_entropy = summary.expected_entropy.mutableData();
  task.mutual_information = summary.mutual_information.mutableData();
  task.variation_ratio = summary.variation_ratio.mutableData();
  task.confidence = summary.confidence.mutableData();
  task.probs_of_draws = probs_of_draws;
  const std::int64_t tiles = (items + kSummaryTile - 1) / kSummaryTile;
  const std::int64_t elements_per_tile = task.draws * classes * kSummaryTile;
  const std::int64_t grain = std::max<std::int64_t>(1, kElementsPerPart / elements_per_tile);
  context.parallelFor(tiles, grain, [&](std::int64_t first, std::int64_t last) {
    const auto scratch = makeAligned<double>(summaryScratchSize(classes));
    for (std::int64_t tile = first; tile < last && !context.cancelRequested(); ++tile) {
      const std::int64_t begin = tile * kSummaryTile;
      summariseTileCpu(task, begin, std::min(kSummaryTile, items - begin), scratch.get());
    }
  });
  return summary;
}

#else

PredictiveSummary summarise(const Array<float>& input, bool input_is_logits, float* probs_of_draws,
                            const RunContext& context) {
  if (!input_is_logits) {
    return summariseDraws(input, context);
  }
  Array<double> probs = Array<double>::zeros(input.shape());
  const std::int64_t classes = input.extent(2);
  const Array<float> rows = input.reshaped({input.extent(0) * input.extent(1), classes});
  for (std::int64_t row = 0; row < rows.extent(0) && !context.cancelRequested(); ++row) {
    const std::vector<double> values = softmax(rows.row(row));
    std::copy(values.begin(), values.end(), probs.mutableData() + row * classes);
  }
  if (probs_of_draws != nullptr) {
    std::transform(probs.data(), probs.data() + probs.size(), probs_of_draws,
                   [](double p) { return static_cast<float>(p); });
  }
  return summariseDraws(probs, context);
}

#endif

void requireDraws(const Array<float>& input, const char* what) {
  if (input.rank() != 3 || input.extent(0) < 1 || input.extent(2) < 1) {
    throw std::invalid_argument(std::string(what) + " [T, N, K] with T, K >= 1 are needed");
  }
}

}  // namespace

PredictiveSummary summariseLogits(const Array<float>& logits, const RunContext& context,
                                  Array<float>* probs_of_draws) {
  requireDraws(logits, "summariseLogits: logits");
  float* probs = nullptr;
  if (probs_of_draws != nullptr) {
    *probs_of_draws = Array<float>::zeros(logits.shape());
    probs = probs_of_draws->mutableData();
  }
  return summarise(logits, true, probs, context);
}

PredictiveSummary summariseProbs(const Array<float>& probs, const RunContext& context) {
  requireDraws(probs, "summariseProbs: probabilities");
  return summarise(probs, false, nullptr, context);
}

}  // namespace dubito
