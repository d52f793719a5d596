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

/// Prefix of the names of progress stages that compare data without running a network.
inline constexpr std::string_view kComparingStage = "comparing";

/// Numbers of evaluated items that were also used for fitting.
struct SharedItems {
  std::int64_t same = 0;       ///< identical id and content
  std::int64_t alike = 0;      ///< same content, but another id
  std::int64_t evaluated = 0;  ///< number of evaluated items
};

/// Compares the network inputs of `fitted` with those of each dataset in `evaluated`, by hashes of
/// all their bits. Reads each dataset once, in batches of `batch` items, and nothing if `evaluated`
/// is empty. Needs 16 bytes per fitted item. Unreadable items are ignored. Fails with kCancelled or
/// like itemsPerLoad.
[[nodiscard]] Expected<std::vector<SharedItems>> sharedItems(const Dataset& fitted,
                                                             std::span<const DatasetPtr> evaluated,
                                                             const Preprocessing& preprocessing,
                                                             std::int64_t batch,
                                                             RunContext& context);

/// The items of a saved run, for comparison when the dataset itself is not available.
struct RunItems {
  std::string spec;          ///< specification of its dataset
  std::string dataset_hash;  ///< ContentHash of the items; empty if unknown
  std::span<const std::int64_t> ids;
};

/// Finds shared items by id: among all items if both runs have the same dataset hash, else within
/// the files and folders that both runs read (sourceParts). Needs 8 bytes per item.
[[nodiscard]] SharedItems sharedItems(const RunItems& fitted, const RunItems& evaluated);

/// Refuses to evaluate on fitted items, which would give over-optimistic results. Fails with
/// kInvalidArgument if any item is the same or more than 1 % are alike, unless `allowed`; overlaps
/// that are accepted are returned as notes. Messages contain the dataset names `fitted` and
/// `evaluated`, and `purpose`, what the fitted items were used for (such as "calibration").
[[nodiscard]] Expected<std::vector<std::string>> checkSharedItems(const SharedItems& shared,
                                                                  const std::string& purpose,
                                                                  const std::string& fitted,
                                                                  const std::string& evaluated,
                                                                  bool allowed);

}  // namespace dubito
