// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/data/images/preprocessing.h"

namespace dubito {

/// One item as stored and as preprocessed for the network.
struct NetworkView {
  std::optional<Image8> stored;  ///< empty if the item is not an image
  std::optional<Image8> input;   ///< network input with the normalisation undone (toNetworkImage)
  std::string shape;             ///< shape of the network input: "1 x 28 x 28"
  double low = 0.0;              ///< minimum, maximum and mean of the network input
  double high = 0.0;
  double mean = 0.0;
};

/// The views of the item at `index` in [0, size()). Errors: those of Dataset::read() and
/// preprocess(). Blocking.
[[nodiscard]] Expected<NetworkView> networkView(const Dataset& dataset, std::int64_t index,
                                                const Preprocessing& stated);

}  // namespace dubito
