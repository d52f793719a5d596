// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/labelled_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "core/base/collect_parts.h"
#include "core/base/compensated_sum.h"

namespace dubito {
namespace {

constexpr double kLogitTolerance = 1e-5;
constexpr std::int64_t kRowsBetweenChecks = 1024;

struct PartSums {
  std::int64_t labelled = 0;
  CompensatedSum brier;
  CompensatedSum nll_of_probs;
  CompensatedSum nll_of_logits;
  bool logits_fit = true;
  std::int64_t clamped = 0;
  std::int64_t masked = 0;
};

template <class T>
double squaredDistance(std::span<const T> row, std::size_t label) {
  // Several sums, because each addition depends on the previous one.
  constexpr std::size_t kSums = 4;
  std::array<double, kSums> sums{};
  const auto square = [&](std::size_t k) {
    const double difference = double{row[k]} - (k == label ? 1.0 : 0.0);
    return difference * difference;
  };
  std::size_t k = 0;
  for (; k + kSums <= row.size(); k += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      sums[j] += square(k + j);
    }
  }
  for (; k < row.size(); ++k) {
    sums[k % kSums] += square(k);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// -log softmax(logits)[label]; NaN if the softmax is not `probs`.
template <class Logit, class T>
double nllWhereTheyFit(std::span<const Logit> logits, std::span<const T> probs, std::size_t label,
                       std::vector<double>& powers) {
  const double top = double{*std::max_element(logits.begin(), logits.end())};
  double sum = 0.0;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    powers[k] = std::exp(double{logits[k]} - top);
    sum += powers[k];
  }
  const double scale = 1.0 / sum;
  bool fits = true;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    fits &= std::abs(powers[k] * scale - double{probs[k]}) <= kLogitTolerance;
  }
  return fits ? std::log(sum) - (double{logits[label]} - top)
              : std::numeric_limits<double>::quiet_NaN();
}

template <class T, class Logit>
LabelledScores scoresOf(const Array<T>& probs, const Array<Logit>* logits,
                        std::span<const std::int64_t> labels, const RunContext& context) {
  const bool has_logits = logits != nullptr && logits->shape() == probs.shape();
  const auto smallest = double{std::numeric_limits<T>::min()};
  const std::int64_t classes = probs.extent(1);
  const std::int64_t grain =
      std::clamp<std::int64_t>(16 * kItemsPerPart / classes, 256, kItemsPerPart);
  const auto addRow = [&](std::int64_t i, std::vector<double>& powers, PartSums& sums) {
    const std::int64_t label_of_item = labels[static_cast<std::size_t>(i)];
    if (label_of_item < 0) {
      return;
    }
    const auto label = static_cast<std::size_t>(label_of_item);
    const std::span<const T> row(probs.data() + i * classes, static_cast<std::size_t>(classes));
    ++sums.labelled;
    sums.brier.add(squaredDistance(row, label));
    sums.nll_of_probs.add(-std::log(std::max(double{row[label]}, smallest)));
    sums.clamped += double{row[label]} < smallest ? 1 : 0;
    if (has_logits && sums.logits_fit) {
      const std::span<const Logit> logits_of_item(logits->data() + i * classes, row.size());
      const double nll = nllWhereTheyFit(logits_of_item, row, label, powers);
      sums.logits_fit = !std::isnan(nll);
      sums.nll_of_logits.add(nll);
      sums.masked += std::isinf(nll) ? 1 : 0;
    }
  };
  const std::vector<PartSums> parts =
      collectParts(probs.extent(0), grain, PartSums{}, context,
                   [&](std::int64_t begin, std::int64_t end, PartSums& sums) {
                     std::vector<double> powers(static_cast<std::size_t>(classes));
                     for (std::int64_t i = begin; i < end; ++i) {
                       if (i % kRowsBetweenChecks == 0 && context.cancelRequested()) {
                         return;
                       }
                       addRow(i, powers, sums);
                     }
                   });
  PartSums all;
  for (const PartSums& part : parts) {
    all.labelled += part.labelled;
    all.brier.add(part.brier);
    all.nll_of_probs.add(part.nll_of_probs);
    all.nll_of_logits.add(part.nll_of_logits);
    all.logits_fit = all.logits_fit && part.logits_fit;
    all.clamped += part.clamped;
    all.masked += part.masked;
  }
  LabelledScores result;
  const auto n = static_cast<double>(all.labelled);
  result.nll_is_of_logits = has_logits && all.logits_fit;
  result.masked_labels = result.nll_is_of_logits ? all.masked : 0;
  result.nll = (result.nll_is_of_logits ? all.nll_of_logits : all.nll_of_probs).value() / n;
  result.nll_clamped = result.nll_is_of_logits ? 0 : all.clamped;
  result.brier = all.brier.value() / n;
  return result;
}

template <class T>
LabelledScores scoresOfRun(const Array<T>& probs, const RealArray* logits,
                           std::span<const std::int64_t> labels, const RunContext& context) {
  if (logits == nullptr) {
    return scoresOf(probs, static_cast<const Array<float>*>(nullptr), labels, context);
  }
  return std::visit([&](const auto& table) { return scoresOf(probs, &table, labels, context); },
                    *logits);
}

}  // namespace

LabelledScores labelledScores(const Array<float>& probs, const RealArray* logits,
                              std::span<const std::int64_t> labels, const RunContext& context) {
  return scoresOfRun(probs, logits, labels, context);
}
LabelledScores labelledScores(const Array<double>& probs, const RealArray* logits,
                              std::span<const std::int64_t> labels, const RunContext& context) {
  return scoresOfRun(probs, logits, labels, context);
}

}  // namespace dubito
