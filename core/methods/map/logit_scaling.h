// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace dubito {

/// What may be done to the logits of a pass: the scaled logits are w_k z_k + b_k, where z are the
/// network's logits.
struct LogitScaling {
  std::vector<double> weight;  ///< w: [K], or [1] if shared by all classes; empty: 1
  std::vector<double> bias;    ///< b: [K]; empty: 0
};

}  // namespace dubito
