// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/classwise_calibration.h"

#include "core/metrics/calibration.h"
#include "core/metrics/compensated_sum.h"
#include "core/metrics/labelled_rows.h"

namespace dubito {
namespace {

template <class T>
ClasswiseCalibration classwise(const Array<T>& probs, std::span<const std::int64_t> labels,
                               std::int64_t bins, const RunContext& context) {
  const std::vector<std::int64_t> items = labelledRows(probs, labels);
  const std::int64_t classes = probs.extent(1);
  ClasswiseCalibration result;
  result.per_class.assign(static_cast<std::size_t>(classes), 0.0);
  context.parallelFor(classes, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> prob_of_class(items.size());
    std::vector<std::uint8_t> is_class(items.size());
    for (std::int64_t k = begin; k < end && !context.cancelRequested(); ++k) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        prob_of_class[i] = probs.data()[items[i] * classes + k];
        is_class[i] = labels[static_cast<std::size_t>(items[i])] == k ? 1 : 0;
      }
      result.per_class[static_cast<std::size_t>(k)] =
          equalWidthReliability(std::span<const T>(prob_of_class), is_class, bins).ece;
    }
  });
  CompensatedSum sum;
  for (const double ece : result.per_class) {
    sum.add(ece);
  }
  result.mean = sum.value() / static_cast<double>(classes);
  return result;
}

}  // namespace

ClasswiseCalibration classwiseCalibration(const Array<float>& probs,
                                          std::span<const std::int64_t> labels, std::int64_t bins,
                                          const RunContext& context) {
  return classwise(probs, labels, bins, context);
}
ClasswiseCalibration classwiseCalibration(const Array<double>& probs,
                                          std::span<const std::int64_t> labels, std::int64_t bins,
                                          const RunContext& context) {
  return classwise(probs, labels, bins, context);
}

}  // namespace dubito
