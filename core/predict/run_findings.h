// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/data/items/content_hash.h"
#include "core/io/run.h"
#include "core/laplace/variance_use.h"
#include "core/metrics/label_fit.h"

namespace dubito {

/// Information that a prediction collects about items in addition to their results. The findings
/// for the parts of a dataset can be added up to those for the whole dataset.
struct RunFindings {
  std::int64_t items = 0;  ///< number of items with results
  ContentHash content;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> mask_hashes;  ///< by site, draw
  std::vector<SkippedItem> skipped;       ///< in the order of the dataset
  std::map<std::string, double> timings;  ///< seconds by stage
  bool draws_differ = false;              ///< whether two draws of an item differed
  VarianceUse variance_use;               ///< whether the link used the variances
  LabelFit label_fit;                     ///< whether the predictions fit the labels

  /// Appends findings of later items of the dataset.
  void add(RunFindings other);
  /// Fills dataset_hash, mask_hashes, skipped and timings.
  void writeTo(RunMeta& meta) const;
};

/// One item of a part. Reading the item again shows whether the dataset has changed.
struct ContentProbe {
  std::int64_t index = -1;  ///< in the dataset
  std::string hash;         ///< ContentHash of this item alone

  friend bool operator==(const ContentProbe&, const ContentProbe&) = default;
};

}  // namespace dubito
