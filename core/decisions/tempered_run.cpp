// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/tempered_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/io/run_needs.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsATime = 1024;
constexpr std::int64_t kItemsToCheck = 1024;
constexpr double kLogitTolerance = 1e-5;

/// softmax(z / temperature) of a row of logits in place, in double.
void temper(std::vector<double>& row, double temperature) {
  const double largest = *std::ranges::max_element(row);
  double sum = 0.0;
  for (double& value : row) {
    // The distance first, so that a large common part costs no digits.
    value = std::exp((value - largest) / temperature);
    sum += value;
  }
  for (double& value : row) {
    value /= sum;
  }
}

/// Fills `row` with what the temperature divides of item `i`.
using ReadLogits = std::function<void(std::int64_t i, std::vector<double>& row)>;

ReadLogits readerOf(const Run& run) {
  if (probsAreOfLogits(run)) {
    return [logits = *run.logits](std::int64_t i, std::vector<double>& row) {
      std::ranges::copy(logits.row(i), row.begin());
    };
  }
  return std::visit(
      [](const auto& probs) -> ReadLogits {
        using T = std::remove_cvref_t<decltype(*probs.data())>;
        return [probs](std::int64_t i, std::vector<double>& row) {
          std::ranges::transform(probs.row(i), row.begin(), [](T prob) {
            return std::log(std::max(double{prob}, double{std::numeric_limits<T>::min()}));
          });
        };
      },
      *run.probs);
}

}  // namespace

bool probsAreOfLogits(const Run& run) {
  if (!run.logits || !run.probs || run.logits->rank() != 2 || run.logits->extent(0) == 0 ||
      run.logits->extent(1) != run.classCount() || run.logits->extent(0) != run.itemCount()) {
    return false;
  }
  const std::int64_t items = run.itemCount();
  const std::int64_t checked = std::min(items, kItemsToCheck);
  for (std::int64_t n = 0; n < checked; ++n) {
    const std::int64_t i = n * items / checked;
    const std::vector<double> probs = softmax(run.logits->row(i));
    for (std::size_t k = 0; k < probs.size(); ++k) {
      // A NaN fails too.
      if (!(std::abs(probs[k] - run.prob(i, static_cast<std::int64_t>(k))) <= kLogitTolerance)) {
        return false;
      }
    }
  }
  return true;
}

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
                fmt::format("a temperature of {} cannot be; give a number above 0", temperature));
  }
  if (Status usable = needsProbabilities(run, run.meta.dataset_name); !usable) {
    return failWith(usable);
  }
  if (temperature == 1.0) {
    return run;
  }
  const std::int64_t items = run.itemCount();
  const std::int64_t classes = run.classCount();
  const bool has_logits = probsAreOfLogits(run);
  const ReadLogits read = readerOf(run);
  Run result = itemsAlone(run);
  Array<float> probs = Array<float>::zeros({items, classes});
  Array<float> logits = Array<float>::zeros({has_logits ? items : 0, classes});
  result.predictions = Array<std::int64_t>::zeros({items});
  result.confidence = Array<double>::zeros({items});
  result.entropy = Array<double>::zeros({items});
  context.parallelFor(items, kItemsATime, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    std::vector<double> row(static_cast<std::size_t>(classes));
    EntropyCalculator entropy;
    const auto toFloat = [](double value) { return static_cast<float>(value); };
    for (std::int64_t i = begin; i < end; ++i) {
      read(i, row);
      if (has_logits) {
        std::ranges::transform(row, logits.mutableRow(i).begin(),
                               [&](double z) { return toFloat(z / temperature); });
      }
      temper(row, temperature);
      const std::span<float> stored = probs.mutableRow(i);
      std::ranges::transform(row, stored.begin(), toFloat);
      const std::int64_t predicted = argmax(std::span<const float>(stored));
      result.predictions.mutableData()[i] = predicted;
      result.confidence.mutableData()[i] = double{stored[static_cast<std::size_t>(predicted)]};
      result.entropy->mutableData()[i] = entropy(std::span<const double>(row));
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  result.probs = std::move(probs);
  if (has_logits) {
    result.logits = std::move(logits);
  }
  return result;
}

}  // namespace dubito
