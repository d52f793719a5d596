// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace dubito::test {

/// Inputs on which the CUDA kernel of keyed dropout must equal the processor's.
struct KeyedDropoutShape {
  std::vector<std::int64_t> sizes;  ///< the first a multiple of kKeyedDropoutItems
  bool feature = false;             ///< one decision for each channel
};

inline constexpr std::int64_t kKeyedDropoutItems = 12;

inline const std::vector<KeyedDropoutShape>& keyedDropoutShapes() {
  static const std::vector<KeyedDropoutShape> shapes{
      {{12}, false},          {{12, 1}, false},   {{12, 801}, false}, {{24, 3, 7}, false},
      {{12, 50, 4, 4}, true}, {{24, 5, 3}, true}, {{12, 9}, true}};
  return shapes;
}

struct KeyedDropoutRate {
  double rate = 0.0;
  bool alpha = false;
};

inline constexpr KeyedDropoutRate kKeyedDropoutRates[] = {
    {0.0, false}, {0.3, false}, {0.999, false}, {0.0, true}, {0.3, true}};

}  // namespace dubito::test
