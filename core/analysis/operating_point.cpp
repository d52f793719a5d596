// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operating_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/item_query.h"

namespace dubito {
namespace {

/// Values of the measure for the items of these groups, if available.
std::vector<double> valuesOf(const Analysis& analysis, Measure measure,
                             std::initializer_list<ItemGroup> groups) {
  std::vector<double> values;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (p > 0 && std::ranges::find(groups, ItemGroup::kOod) == groups.end()) {
      break;  // all further parts are OOD
    }
    const Array<double>& of_part = analysis.parts[p].values(measure);
    for (std::int64_t row = 0; row < of_part.size(); ++row) {
      const ItemGroup group = groupOf(analysis, {static_cast<std::int32_t>(p), row});
      if (!std::isnan(of_part.data()[row]) && std::ranges::find(groups, group) != groups.end()) {
        values.push_back(of_part.data()[row]);
      }
    }
  }
  return values;
}

/// The `wanted`-th most certain of `values`, or the last if there are fewer.
std::optional<double> lastKept(std::vector<double> values, double wanted, bool high_is_certain) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto rank =
      static_cast<std::ptrdiff_t>(std::clamp(wanted, 1.0, static_cast<double>(values.size())));
  const auto kth = values.begin() + (rank - 1);
  if (high_is_certain) {
    std::nth_element(values.begin(), kth, values.end(), std::greater<>());
  } else {
    std::nth_element(values.begin(), kth, values.end());
  }
  return *kth;
}

}  // namespace

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
  // Called while a threshold is dragged: plain sums over whole arrays.
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
  std::vector<double> correct = valuesOf(analysis, measure, {ItemGroup::kCorrect});
  const double wanted = std::ceil(share * static_cast<double>(correct.size()));
  return lastKept(std::move(correct), wanted, highIsCertain(measure));
}

std::optional<double> thresholdAt(const Analysis& analysis, Measure measure, RankingCurve curve,
                                  double x, double y) {
  const Overview& overview = analysis.overview;
  const bool against_ood = overview.ood > 0 && curve != RankingCurve::kRejection;
  const ItemGroup negative = against_ood ? ItemGroup::kOod : ItemGroup::kMisclassified;
  const auto positives = static_cast<double>(overview.correct);
  const auto negatives = static_cast<double>(against_ood ? overview.ood : overview.misclassified);
  double kept = 0.0;
  switch (curve) {
    case RankingCurve::kRoc:  // false positive rate, true positive rate
      kept = x * negatives + y * positives;
      break;
    case RankingCurve::kPrecisionRecall:
      kept = y > 0.0 ? x * positives / y : 0.0;
      break;
    case RankingCurve::kRejection:  // share retained, their accuracy
      kept = x * (positives + negatives);
      break;
  }
  kept = std::round(kept);
  if (kept < 1.0) {
    return std::nullopt;
  }
  return lastKept(valuesOf(analysis, measure, {ItemGroup::kCorrect, negative}), kept,
                  highIsCertain(measure));
}

std::optional<KeptRange> keptRange(const Analysis& analysis, Measure measure, RankingCurve curve,
                                   double x, double y) {
  const std::optional<double> threshold = thresholdAt(analysis, measure, curve, x, y);
  if (!threshold) {
    return std::nullopt;
  }
  Interval all{0.0, 1.0};
  for (const AnalysisPart& part : analysis.parts) {
    for (const double value : part.values(measure).values()) {
      all.low = std::min(all.low, value);
      all.high = std::max(all.high, value);
    }
  }
  return KeptRange{*threshold, highIsCertain(measure) ? Interval{*threshold, all.high}
                                                      : Interval{all.low, *threshold}};
}

}  // namespace dubito
