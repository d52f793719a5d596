// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/same_items.h"

#include <algorithm>

#include "core/analysis/same_item.h"
#include "core/kernels/philox.h"

namespace dubito {

std::uint64_t itemsHash(const Run& run) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::uint64_t id = splitmix64(static_cast<std::uint64_t>(run.ids.data()[i]));
    sum += splitmix64(id ^ static_cast<std::uint64_t>(run.labels.data()[i] + 1));
  }
  return sum;
}

bool haveSameItems(const AnalysisPart& a, const AnalysisPart& b) {
  const RunMeta& mine = a.run->meta;
  const RunMeta& other = b.run->meta;
  if (a.run == b.run) {
    return true;
  }
  if (a.run->itemCount() != b.run->itemCount()) {
    return false;
  }
  const bool both_hashed = !mine.dataset_hash.empty() && !other.dataset_hash.empty();
  if (both_hashed && mine.dataset_hash == other.dataset_hash) {
    return true;
  }
  if (a.items_hash != b.items_hash) {
    return false;
  }
  const bool same_source = !mine.dataset_spec.empty() &&
                           specOfItems(mine.dataset_spec) == specOfItems(other.dataset_spec);
  // The hash covers what the networks were given, which differs with the preprocessing.
  return both_hashed ? same_source && mine.preprocessing != other.preprocessing
                     : same_source || a.labelled;
}

bool overSameItems(const Analysis& a, const Analysis& b) {
  return haveSameItems(a.in(), b.in());
}

}  // namespace dubito
