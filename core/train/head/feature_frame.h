// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/train/head/softmax_regression.h"

namespace dubito {

/// Features moved and scaled so that an item has mean 0 and mean square length 1, whatever the
/// network: one penalty and one tolerance then suit them all. One scale for all features keeps what
/// the network has made large and small.
class FeatureFrame {
 public:
  /// Without `may_move`, for a layer without a bias that could make up for it, features are only
  /// scaled.
  FeatureFrame(const LabelledFeatures& items, bool may_move);

  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }  ///< [Q]
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] LabelledFeatures framed(const LabelledFeatures& items) const;
  /// The same head for the raw features.
  [[nodiscard]] LinearHead unframed(LinearHead head) const;

 private:
  std::vector<double> mean_;
  double scale_ = 1.0;
};

}  // namespace dubito
