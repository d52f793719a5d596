// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/log_rest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsATime = 4096;
constexpr std::int64_t kItemsToCheck = 1024;
constexpr double kLogitTolerance = 1e-5;

/// The exact value for an item whose confidence is too close to 1, kept below all resolved ones.
template <class T>
double restOfProbs(const Run& run, const Array<T>& probs, std::int64_t i) {
  return std::min(logRest(probs.row(i), run.predictions.data()[i]), std::log(kResolvedRest<T>));
}

}  // namespace

bool probsAreOfLogits(const Run& run) {
  if (!run.logits || !run.probs) {
    return false;
  }
  return std::visit(
      [&](const auto& logits) {
        const std::int64_t items = run.itemCount();
        if (logits.rank() != 2 || items == 0 || logits.extent(0) != items ||
            logits.extent(1) != run.classCount()) {
          return false;
        }
        const std::int64_t checked = std::min(items, kItemsToCheck);
        for (std::int64_t n = 0; n < checked; ++n) {
          const std::int64_t i = n * items / checked;
          const std::vector<double> probs = softmax(logits.row(i));
          for (std::size_t k = 0; k < probs.size(); ++k) {
            // NaN fails, too.
            if (!(std::abs(probs[k] - run.prob(i, static_cast<std::int64_t>(k))) <=
                  kLogitTolerance)) {
              return false;
            }
          }
        }
        return true;
      },
      *run.logits);
}

Array<double> logRestOf(const Run& run, const RunContext& context) {
  if (run.log_rest) {
    return *run.log_rest;
  }
  const std::int64_t n = run.itemCount();
  Array<double> log_rest = Array<double>::zeros({n});
  const auto fill = [&](double resolved, const auto& exact) {
    context.parallelFor(n, kItemsATime, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
        // Rounded rows of other programs may exceed 1. In this order NaN stays NaN.
        const double rest = 1.0 - std::min(run.confidence.data()[i], 1.0);
        log_rest.mutableData()[i] = rest < resolved ? exact(i) : std::log(rest);
      }
    });
  };
  if (!run.probs) {
    fill(0.0, [](std::int64_t) { return 0.0; });
    return log_rest;
  }
  if (probsAreOfLogits(run)) {
    std::visit(
        [&](const auto& logits) {
          fill(std::numeric_limits<double>::infinity(), [&](std::int64_t i) {
            return logRestOfLogits(logits.row(i), run.predictions.data()[i]);
          });
        },
        *run.logits);
    return log_rest;
  }
  std::visit(
      [&](const auto& probs) {
        using T = std::remove_cvref_t<decltype(*probs.data())>;
        fill(kResolvedRest<T>, [&](std::int64_t i) { return restOfProbs(run, probs, i); });
      },
      *run.probs);
  return log_rest;
}

}  // namespace dubito
