// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/feature_frame.h"

#include <cmath>
#include <cstdint>

namespace dubito {

FeatureFrame::FeatureFrame(const LabelledFeatures& items, bool may_move)
    : mean_(static_cast<std::size_t>(items.features.extent(1))) {
  const auto n = static_cast<double>(items.size());
  double square = 0.0;
  for (std::int64_t i = 0; i < items.size(); ++i) {
    const auto row = items.features.row(i);
    for (std::size_t q = 0; q < row.size(); ++q) {
      mean_[q] += may_move ? double{row[q]} / n : 0.0;
    }
  }
  for (std::int64_t i = 0; i < items.size(); ++i) {
    const auto row = items.features.row(i);
    for (std::size_t q = 0; q < row.size(); ++q) {
      const double difference = double{row[q]} - mean_[q];
      square += difference * difference / n;
    }
  }
  scale_ = square > 0.0 ? std::sqrt(square) : 1.0;
}

LabelledFeatures FeatureFrame::framed(const LabelledFeatures& items) const {
  LabelledFeatures result{Array<float>::zeros(items.features.shape()), items.labels};
  for (std::int64_t i = 0; i < items.size(); ++i) {
    const auto from = items.features.row(i);
    const auto to = result.features.mutableRow(i);
    for (std::size_t q = 0; q < from.size(); ++q) {
      to[q] = static_cast<float>((double{from[q]} - mean_[q]) / scale_);
    }
  }
  return result;
}

LinearHead FeatureFrame::unframed(LinearHead head) const {
  for (std::int64_t k = 0; k < head.weight.extent(0); ++k) {
    const auto weights = head.weight.mutableRow(k);
    for (std::size_t q = 0; q < weights.size(); ++q) {
      weights[q] /= scale_;
      if (!head.bias.empty()) {
        head.bias[static_cast<std::size_t>(k)] -= weights[q] * mean_[q];
      }
    }
  }
  return head;
}

}  // namespace dubito
