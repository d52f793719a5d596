// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/operating_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>

#include "app/session/item_query.h"

namespace dubito {

bool highIsCertain(Measure measure) {
  return measure == Measure::kConfidence || measure == Measure::kMargin;
}

std::optional<OperatingPoint> operatingPoint(const Analysis& analysis, Measure measure,
                                             double threshold) {
  for (const AnalysisPart& part : analysis.parts) {
    if (!part.has(measure)) {
      return std::nullopt;
    }
  }
  const bool high = highIsCertain(measure);
  const auto isKept = [high, threshold](double value) {
    return high ? value >= threshold : value <= threshold;
  };
  // Read as while a threshold is dragged: plain sums over whole arrays.
  const Run& run = *analysis.in().run;
  const std::span<const double> values = analysis.in().values(measure).values();
  const std::span<const std::int64_t> labels = run.labels.values();
  const std::span<const std::int64_t> predictions = run.predictions.values();
  std::int64_t correct = 0;
  std::int64_t correct_kept = 0;
  std::int64_t wrong = 0;
  std::int64_t wrong_kept = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto kept = static_cast<std::int64_t>(isKept(values[row]));
    const auto right = static_cast<std::int64_t>(labels[row] == predictions[row]);
    const auto labelled = static_cast<std::int64_t>(labels[row] >= 0);
    correct += labelled & right;
    correct_kept += labelled & right & kept;
    wrong += labelled & ~right;
    wrong_kept += labelled & ~right & kept;
  }
  std::int64_t ood = 0;
  std::int64_t ood_kept = 0;
  for (std::size_t p = 1; p < analysis.parts.size(); ++p) {
    const std::span<const double> of_ood = analysis.parts[p].values(measure).values();
    ood += static_cast<std::int64_t>(of_ood.size());
    ood_kept += std::count_if(of_ood.begin(), of_ood.end(), isKept);
  }
  const bool against_ood = analysis.parts.size() > 1;
  const std::int64_t negatives = against_ood ? ood : wrong;
  if (correct == 0 || negatives == 0) {
    return std::nullopt;
  }
  return OperatingPoint{
      static_cast<double>(correct_kept) / static_cast<double>(correct),
      static_cast<double>(against_ood ? ood_kept : wrong_kept) / static_cast<double>(negatives)};
}

std::optional<double> thresholdKeeping(const Analysis& analysis, Measure measure, double share) {
  const Array<double>& values = analysis.in().values(measure);
  std::vector<double> correct;
  for (std::int64_t row = 0; row < values.size(); ++row) {
    if (!std::isnan(values.data()[row]) && groupOf(analysis, {0, row}) == ItemGroup::kCorrect) {
      correct.push_back(values.data()[row]);
    }
  }
  if (correct.empty()) {
    return std::nullopt;
  }
  const double wanted = std::ceil(share * static_cast<double>(correct.size()));
  const auto rank =
      static_cast<std::ptrdiff_t>(std::clamp(wanted, 1.0, static_cast<double>(correct.size())));
  const auto kth = correct.begin() + (rank - 1);
  if (highIsCertain(measure)) {
    std::nth_element(correct.begin(), kth, correct.end(), std::greater<>());
  } else {
    std::nth_element(correct.begin(), kth, correct.end());
  }
  return *kth;
}

}  // namespace dubito
