// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/models/model.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {

/// Where the weights of a network's last linear layer are stored.
struct HeadPlace {
  std::string weight;          ///< attribute path: "fc2.weight"
  std::string bias;            ///< empty: the layer has none
  bool is_transposed = false;  ///< stored as [Q, K]
};

/// kUnsupported, with the reason, if the last layer is not a linear one with unshared weights
/// that nothing else uses (frozen, quantised or shared ones, several terms), or if the network has
/// a single output for two classes.
[[nodiscard]] Expected<HeadPlace> headPlace(const Model& model);

/// The TorchScript archive of `model` with other weights in its last layer and `metadata` (JSON) as
/// its metadata; the number of classes may differ. The file of the model is read again.
[[nodiscard]] Expected<std::string> archiveWithHead(const Model& model, const HeadPlace& place,
                                                    const LinearHead& head,
                                                    const std::string& metadata);

}  // namespace dubito
