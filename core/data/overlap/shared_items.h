// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Stages of progress in which data is compared, and no network runs, begin with this.
inline constexpr std::string_view kComparingStage = "comparing";

/// How many of the evaluated items were also fitted on.
struct SharedItems {
  std::int64_t same = 0;   ///< the same items of the same data: id and content agree
  std::int64_t alike = 0;  ///< other items with the same content
  std::int64_t evaluated = 0;
};

/// Compares what a network is given of the items, bit by bit (by hashes), with each of the
/// `evaluated` sets. Reads every dataset once, in batches of `batch`, `fitted` only where there is
/// something to compare it with, and keeps 16 bytes an item of it. Items that cannot be read are no
/// one's. kCancelled.
[[nodiscard]] Expected<std::vector<SharedItems>> sharedItems(const Dataset& fitted,
                                                             std::span<const DatasetPtr> evaluated,
                                                             const Preprocessing& preprocessing,
                                                             std::int64_t batch,
                                                             RunContext& context);

/// The items of a saved run: what there is to compare where the items themselves are not at hand.
struct ItemsOfRun {
  std::string spec;          ///< of its dataset
  std::string dataset_hash;  ///< ContentHash of all of them; empty where it is not known
  std::span<const std::int64_t> ids;
};

/// The same items are told by their ids: in all of the data where both runs have the same content
/// hash, else in the files and folders that both come from (sourceParts). Keeps 8 bytes an item.
[[nodiscard]] SharedItems sharedItems(const ItemsOfRun& fitted, const ItemsOfRun& evaluated);

/// Evaluating on what was fitted on gives numbers that are too good. kInvalidArgument where items
/// are the same, or more than 1 % are alike, unless `allowed`; what was let through is returned as
/// notes. The names stand in messages, `purpose` ("calibration") too.
[[nodiscard]] Expected<std::vector<std::string>> judgeSplit(const SharedItems& shared,
                                                            const std::string& purpose,
                                                            const std::string& fitted,
                                                            const std::string& evaluated,
                                                            bool allowed);

}  // namespace dubito
