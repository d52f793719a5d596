// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/labels/label_store.h"

namespace dubito {

/// The items of a label store whose images are in another folder than when it was made.
struct LocatedItems {
  DatasetPtr dataset;
  /// Items with a label that were renamed or moved within the folder, found by the hash of their
  /// file: the id that the label has, and the id of the item in `dataset`.
  std::unordered_map<std::int64_t, std::int64_t> renumbered = {};
  std::int64_t found = 0;    ///< items with a label that have the same relative path as before
  std::int64_t missing = 0;  ///< those that are not there
};

/// Looks for the dataset of `store` in `folder`: the images, or the files that the recorded
/// specification names; of labels of another program also the file with these labels, where it was,
/// in the folder or next to it. Items are found by relative path, then by content. kNotFound with
/// the place, the folder and the remedy if none of the items with a label is there; errors of
/// openDataset() and of reading the store.
[[nodiscard]] Expected<LocatedItems> locateItems(LabelStore& store, const std::string& folder,
                                                 RunContext& context);

}  // namespace dubito
