// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// The objects of a scene by the entropy of their log probabilities [n, K], ascending, so that what
/// is done one object after the other does not depend on their order in the scene.
[[nodiscard]] std::vector<std::int64_t> surestFirst(const Array<double>& log_probs);

}  // namespace dubito
