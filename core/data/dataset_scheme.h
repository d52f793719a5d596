// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// The kinds of datasets, as they stand before the colon of a specification.
[[nodiscard]] const std::vector<std::string>& datasetSchemes();

/// The options that only datasets of this kind know; of any kind where `scheme` is empty.
[[nodiscard]] std::vector<std::string> extraKeysOf(const std::string& scheme);

}  // namespace dubito
