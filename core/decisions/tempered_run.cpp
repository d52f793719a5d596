// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/tempered_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/io/log_rest.h"
#include "core/io/run_needs.h"
#include "core/io/run_summary.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kTemperedAtATime = 1024;

/// z / temperature of a row of logits in place, its largest 0.
void temper(std::vector<double>& row, double temperature) {
  const double largest = *std::ranges::max_element(row);
  for (double& value : row) {
    // The distance first, so that a large common part costs no digits.
    value = (value - largest) / temperature;
  }
}

/// Fills `row` with what the temperature divides of item `i`.
using ReadLogits = std::function<void(std::int64_t i, std::vector<double>& row)>;

ReadLogits readerOf(const Run& run) {
  if (probsAreOfLogits(run)) {
    return std::visit(
        [](const auto& logits) -> ReadLogits {
          return [logits](std::int64_t i, std::vector<double>& row) {
            std::ranges::copy(logits.row(i), row.begin());
          };
        },
        *run.logits);
  }
  return std::visit(
      [](const auto& probs) -> ReadLogits {
        return [probs](std::int64_t i, std::vector<double>& row) {
          std::ranges::transform(probs.row(i), row.begin(),
                                 [](auto prob) { return clampedLog(prob); });
        };
      },
      *run.probs);
}

}  // namespace

Expected<LogitTable> temperedLogits(const Run& run, const std::string& name) {
  if (!run.logits || probsAreOfLogits(run)) {
    return logitsOfRun(run, name);
  }
  Run without = run;
  without.logits.reset();
  return logitsOfRun(without, name);
}

Expected<Run> temperedRun(const Run& run, double temperature, const RunContext& context) {
  if (!(temperature > 0.0) || !std::isfinite(temperature)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("temperature {} is invalid; give a number above 0", temperature));
  }
  if (Status usable = requireProbabilities(run, run.meta.dataset_name); !usable) {
    return failWith(usable);
  }
  if (temperature == 1.0) {
    return run;
  }
  const std::int64_t items = run.itemCount();
  const std::int64_t classes = run.classCount();
  const bool has_logits = probsAreOfLogits(run);
  const ReadLogits read = readerOf(run);
  Run result = withoutPredictions(run);
  Array<float> probs = Array<float>::zeros({items, classes});
  Array<float> logits = Array<float>::zeros({has_logits ? items : 0, classes});
  result.predictions = Array<std::int64_t>::zeros({items});
  result.log_rest = Array<double>::zeros({items});
  result.entropy = Array<double>::zeros({items});
  context.parallelFor(items, kTemperedAtATime, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    std::vector<double> row(static_cast<std::size_t>(classes));
    const auto toFloat = [](double value) { return static_cast<float>(value); };
    for (std::int64_t i = begin; i < end; ++i) {
      read(i, row);
      if (has_logits) {
        std::ranges::transform(row, logits.mutableRow(i).begin(),
                               [&](double z) { return toFloat(z / temperature); });
      }
      temper(row, temperature);
      const std::span<const double> tempered(row);
      const LogitMeasures measures = measuresOfLogits(tempered);
      result.predictions.mutableData()[i] = measures.prediction;
      result.log_rest->mutableData()[i] = measures.log_rest;
      result.entropy->mutableData()[i] = measures.entropy;
      double sum = 0.0;
      for (double& value : row) {
        value = std::exp(value);
        sum += value;
      }
      std::ranges::transform(row, probs.mutableRow(i).begin(),
                             [&](double power) { return toFloat(power / sum); });
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  result.confidence = confidenceFromLogRest(*result.log_rest);
  result.probs = std::move(probs);
  if (has_logits) {
    result.logits = std::move(logits);
  } else if (const std::string note = clampNote(run); !note.empty()) {
    result.meta.notes.push_back("Temperature: " + note);
  }
  return result;
}

}  // namespace dubito
