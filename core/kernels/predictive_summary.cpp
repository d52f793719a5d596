// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/predictive_summary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/cpu/predictive_summary_cpu.h"
#include "core/kernels/cuda_library.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// What summarises `input` into `summary`, both of which outlive it.
SummaryTask taskOf(const DrawRows& input, bool input_is_logits, std::span<float* const> draw_probs,
                   PredictiveSummary& summary) {
  SummaryTask task;
  task.input = input.draws.data();
  task.input_is_logits = input_is_logits;
  task.draws = static_cast<std::int64_t>(input.draws.size());
  task.items = input.items;
  task.classes = input.classes;
  task.mean_probs = summary.mean_probs.mutableData();
  task.variance = summary.variance.mutableData();
  task.entropy = summary.entropy.mutableData();
  task.expected_entropy = summary.expected_entropy.mutableData();
  task.mutual_information = summary.mutual_information.mutableData();
  task.variation_ratio = summary.variation_ratio.mutableData();
  task.confidence = summary.confidence.mutableData();
  task.log_rest = summary.log_rest.mutableData();
  task.predictions = summary.predictions.mutableData();
  task.draw_probs = draw_probs.empty() ? nullptr : draw_probs.data();
  return task;
}

#ifdef DUBITO_HAS_HIGHWAY

// Elements per parallel task: enough to be worth a thread, few enough to cancel quickly.
constexpr std::int64_t kElementsPerTask = std::int64_t{1} << 17;
// Below this, the remainder misses classes whose exponential counts as 0.
constexpr double kMinLogRest = -640.0;

/// Recomputes log_rest in the log domain for those of the items [begin, end) whose other classes
/// almost vanish.
void refineLogRest(const DrawRows& logits, std::int64_t begin, std::int64_t end,
                   PredictiveSummary& summary) {
  std::vector<double> log_rests(logits.draws.size());
  for (std::int64_t item = begin; item < end; ++item) {
    double& log_rest = summary.log_rest.mutableData()[item];
    if (!(log_rest < kMinLogRest)) {
      continue;
    }
    std::ranges::transform(logits.draws, log_rests.begin(), [&](const float* draw) {
      return logRestOfLogits(std::span<const float>(draw + item * logits.classes,
                                                    static_cast<std::size_t>(logits.classes)),
                             summary.predictions.data()[item]);
    });
    log_rest = logSumExp(std::span<const double>(log_rests)) -
               std::log(static_cast<double>(log_rests.size()));
  }
}

PredictiveSummary summarise(const DrawRows& input, bool input_is_logits,
                            std::span<float* const> draw_probs, const RunContext& context) {
  const std::int64_t items = input.items;
  PredictiveSummary summary = emptySummary(items, input.classes);
  const SummaryTask task = taskOf(input, input_is_logits, draw_probs, summary);
  const std::int64_t tiles = (items + kSummaryTile - 1) / kSummaryTile;
  const std::int64_t elements_per_tile = task.draws * task.classes * kSummaryTile;
  const std::int64_t grain = std::max<std::int64_t>(1, kElementsPerTask / elements_per_tile);
  context.parallelFor(tiles, grain, [&](std::int64_t first, std::int64_t last) {
    const auto scratch = makeAligned<double>(summaryScratchSize(task.classes));
    for (std::int64_t tile = first; tile < last && !context.cancelRequested(); ++tile) {
      const std::int64_t begin = tile * kSummaryTile;
      const std::int64_t count = std::min(kSummaryTile, items - begin);
      summariseTileCpu(task, begin, count, scratch.get());
      if (input_is_logits) {
        refineLogRest(input, begin, begin + count, summary);
      }
    }
  });
  return summary;
}

#else

PredictiveSummary summarise(const DrawRows& input, bool input_is_logits,
                            std::span<float* const> draw_probs, const RunContext& context) {
  const auto draws = static_cast<std::int64_t>(input.draws.size());
  const std::int64_t size = input.items * input.classes;
  Array<float> stacked = Array<float>::zeros({draws, input.items, input.classes});
  for (std::int64_t t = 0; t < draws; ++t) {
    std::copy_n(input.draws[static_cast<std::size_t>(t)], size, stacked.mutableRow(t).begin());
  }
  for (std::size_t t = 0; t < draw_probs.size() && !context.cancelRequested(); ++t) {
    for (std::int64_t item = 0; item < input.items; ++item) {
      const float* const row = input.draws[t] + item * input.classes;
      const auto probs =
          softmax(std::span<const float>(row, static_cast<std::size_t>(input.classes)));
      std::ranges::transform(probs, draw_probs[t] + item * input.classes,
                             [](double p) { return static_cast<float>(p); });
    }
  }
  return input_is_logits ? summariseDrawsOfLogits(stacked, context)
                         : summariseDraws(stacked, context);
}

#endif

/// Pointers to the draws of an array [T, N, K].
template <class Pointer>
std::vector<Pointer> drawPointers(Pointer data, const std::vector<std::int64_t>& shape) {
  std::vector<Pointer> starts;
  for (std::int64_t t = 0; t < shape[0]; ++t) {
    starts.push_back(data + t * shape[1] * shape[2]);
  }
  return starts;
}

void checkDraws(const Array<float>& input, const char* what) {
  if (input.rank() != 3 || input.extent(0) < 1 || input.extent(2) < 1) {
    throw std::invalid_argument(std::string(what) + " must be [T, N, K] with T, K >= 1");
  }
}

}  // namespace

PredictiveSummary summariseLogits(const DrawRows& logits, std::span<float* const> draw_probs,
                                  const RunContext& context) {
  if (logits.draws.empty() || logits.items < 0 || logits.classes < 1 ||
      (!draw_probs.empty() && draw_probs.size() != logits.draws.size())) {
    throw std::invalid_argument(
        "summariseLogits: logits must be [T, N, K] with T, K >= 1, and outputs one per draw");
  }
  if (logits.cuda_device) {
    PredictiveSummary summary = emptySummary(logits.items, logits.classes);
    summariseLogitsCudaFunction()(taskOf(logits, true, draw_probs, summary), *logits.cuda_device);
    return summary;
  }
  return summarise(logits, true, draw_probs, context);
}

PredictiveSummary summariseLogits(const Array<float>& logits, const RunContext& context,
                                  Array<float>* draw_probs) {
  checkDraws(logits, "summariseLogits: logits");
  std::vector<float*> probs;
  if (draw_probs != nullptr) {
    *draw_probs = Array<float>::zeros(logits.shape());
    probs = drawPointers(draw_probs->mutableData(), logits.shape());
  }
  const std::vector<const float*> draws = drawPointers(logits.data(), logits.shape());
  return summarise({.draws = draws, .items = logits.extent(1), .classes = logits.extent(2)}, true,
                   probs, context);
}

PredictiveSummary summariseProbs(const Array<float>& probs, const RunContext& context) {
  checkDraws(probs, "summariseProbs: probabilities");
  const std::vector<const float*> draws = drawPointers(probs.data(), probs.shape());
  return summarise({.draws = draws, .items = probs.extent(1), .classes = probs.extent(2)}, false,
                   {}, context);
}

}  // namespace dubito
