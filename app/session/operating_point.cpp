// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/operating_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "app/session/item_query.h"

namespace dubito {

bool highIsCertain(Measure measure) {
  return measure == Measure::kConfidence || measure == Measure::kMargin;
}

std::optional<OperatingPoint> operatingPoint(const Analysis& analysis, Measure measure,
                                             double threshold) {
  const bool ood = analysis.parts.size() > 1;
  std::int64_t positives = 0;
  std::int64_t positives_kept = 0;
  std::int64_t negatives = 0;
  std::int64_t negatives_kept = 0;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    const Array<double>& values = analysis.parts[p].values(measure);
    if (values.empty()) {
      return std::nullopt;
    }
    for (std::int64_t row = 0; row < values.size(); ++row) {
      const double value = values.data()[row];
      const bool kept = highIsCertain(measure) ? value >= threshold : value <= threshold;
      const ItemGroup group = groupOf(analysis, {static_cast<std::int32_t>(p), row});
      if (group == ItemGroup::kCorrect) {
        ++positives;
        positives_kept += kept ? 1 : 0;
      } else if (group == (ood ? ItemGroup::kOod : ItemGroup::kMisclassified)) {
        ++negatives;
        negatives_kept += kept ? 1 : 0;
      }
    }
  }
  if (positives == 0 || negatives == 0) {
    return std::nullopt;
  }
  return OperatingPoint{static_cast<double>(positives_kept) / static_cast<double>(positives),
                        static_cast<double>(negatives_kept) / static_cast<double>(negatives)};
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
