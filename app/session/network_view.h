// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/data/images/preprocessing.h"

namespace dubito {

/// One item as it is stored and as a network is given it.
struct NetworkView {
  std::optional<Image8> stored;  ///< absent: the item has no picture
  std::optional<Image8> seen;    ///< normalisation undone (toNetworkImage)
  std::string shape;             ///< "1 x 28 x 28"
  double low = 0.0;              ///< smallest, largest and mean number of the input
  double high = 0.0;
  double mean = 0.0;
};

/// Of the item at `index` in [0, size()). Errors of reading it and of preprocess(). Blocking.
[[nodiscard]] Expected<NetworkView> networkView(const Dataset& dataset, std::int64_t index,
                                                const Preprocessing& preprocessing);

}  // namespace dubito
