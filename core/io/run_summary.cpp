// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_summary.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/measures/entropy.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kSummedPerTask = 4096;

template <class T>
void fill(Run& run, const Array<T>& probs, const RunContext& context) {
  const std::int64_t n = probs.extent(0);
  run.predictions = Array<std::int64_t>::zeros({n});
  run.confidence = Array<double>::zeros({n});
  const bool has_entropy = run.entropy.has_value();
  if (!has_entropy) {
    run.entropy = Array<double>::zeros({n});
  }
  context.parallelFor(n, kSummedPerTask, [&](std::int64_t begin, std::int64_t end) {
    if (!has_entropy) {
      EntropyCalculator().ofRows(probs.row(begin).data(), end - begin, probs.extent(1),
                                 run.entropy->mutableData() + begin);
    }
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const T> row = probs.row(i);
      const std::int64_t predicted = argmax(row);
      run.predictions.mutableData()[i] = predicted;
      run.confidence.mutableData()[i] = row[static_cast<std::size_t>(predicted)];
    }
  });
}

}  // namespace

Array<double> confidenceFromLogRest(const Array<double>& log_rest) {
  Array<double> confidence = Array<double>::zeros(log_rest.shape());
  std::ranges::transform(log_rest.values(), confidence.mutableData(),
                         [](double rest) { return -std::expm1(rest); });
  return confidence;
}

void fillFromLogits(Run& run, const RunContext& context) {
  const std::int64_t n = run.itemCount();
  run.predictions = Array<std::int64_t>::zeros({n});
  run.log_rest = Array<double>::zeros({n});
  run.entropy = Array<double>::zeros({n});
  std::visit(
      [&](const auto& logits) {
        context.parallelFor(n, kSummedPerTask, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
            const LogitMeasures measures = measuresOfLogits(logits.row(i));
            run.predictions.mutableData()[i] = measures.prediction;
            run.log_rest->mutableData()[i] = measures.log_rest;
            run.entropy->mutableData()[i] = measures.entropy;
          }
        });
      },
      *run.logits);
  run.confidence = confidenceFromLogRest(*run.log_rest);
}

void fillFromProbs(Run& run, const RunContext& context) {
  if (!run.probs) {
    return;
  }
  std::visit(
      [&](const auto& probs) {
        if (probs.rank() == 2 && probs.extent(1) > 0) {
          fill(run, probs, context);
        }
      },
      *run.probs);
}

}  // namespace dubito
