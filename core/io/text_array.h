// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dubito {

/// Texts in the shape of an array, in row-major order and UTF-8.
struct TextArray {
  std::vector<std::int64_t> shape;
  std::vector<std::string> values;
};

}  // namespace dubito
