// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/device/run_difference.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dubito::benchmarks {
namespace {

nlohmann::json sameMasks(const RunMeta& a, const RunMeta& b) {
  if (a.mask_hashes.empty() && b.mask_hashes.empty()) {
    return nullptr;
  }
  return std::ranges::equal(
      a.mask_hashes, b.mask_hashes, [](const MaskHash& one, const MaskHash& other) {
        return one.site == other.site && one.draw == other.draw && one.hash == other.hash;
      });
}

}  // namespace

nlohmann::json differenceOf(const Run& a, const Run& b) {
  bool same_bits = a.itemCount() == b.itemCount() && a.classCount() == b.classCount();
  double largest = same_bits ? 0.0 : 1.0;
  for (std::int64_t item = 0; same_bits && item < a.itemCount(); ++item) {
    for (std::int64_t k = 0; k < a.classCount(); ++k) {
      largest = std::max(largest, std::abs(a.prob(item, k) - b.prob(item, k)));
    }
  }
  return {{"same_bits", same_bits && largest == 0.0},
          {"largest_difference", largest},
          {"same_masks", sameMasks(a.meta, b.meta)}};
}

}  // namespace dubito::benchmarks
