// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/run_findings.h"

#include <iterator>

namespace dubito {

void RunFindings::add(RunFindings other) {
  items += other.items;
  content.merge(other.content);
  for (const auto& [key, hash] : other.mask_hashes) {
    mask_hashes[key] += hash;
  }
  std::ranges::move(other.skipped, std::back_inserter(skipped));
  for (const auto& [stage, seconds] : other.timings) {
    timings[stage] += seconds;
  }
  draws_differ = draws_differ || other.draws_differ;
  variance_use.add(other.variance_use);
  label_fit.add(other.label_fit);
}

void RunFindings::writeTo(RunMeta& meta) const {
  meta.dataset_hash = content.hex();
  for (const auto& [key, hash] : mask_hashes) {
    meta.mask_hashes.push_back({key.first, key.second, hash});
  }
  meta.skipped = skipped;
  meta.timings = timings;
}

}  // namespace dubito
