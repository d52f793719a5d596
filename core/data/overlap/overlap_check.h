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

/// Prefix of progress stages that compare data without running a network.
inline constexpr std::string_view kComparingStage = "comparing";

/// How many of the evaluated items were also used for fitting.
struct SharedItems {
  std::int64_t same = 0;   ///< identical id and content
  std::int64_t alike = 0;  ///< same content under another id
  std::int64_t evaluated = 0;
};

/// Compares the network inputs of `fitted` with those of each `evaluated` set, bit by bit (by
/// hashes). Reads every dataset once, in batches of `batch`, and `fitted` only if there is
/// something to compare it with; keeps 16 bytes per fitted item. Unreadable items are ignored.
/// kCancelled.
[[nodiscard]] Expected<std::vector<SharedItems>> sharedItems(const Dataset& fitted,
                                                             std::span<const DatasetPtr> evaluated,
                                                             const Preprocessing& preprocessing,
                                                             std::int64_t batch,
                                                             RunContext& context);

/// The items of a saved run, for comparison when the dataset itself is not available.
struct RunItems {
  std::string spec;          ///< of its dataset
  std::string dataset_hash;  ///< ContentHash of all of them; empty if unknown
  std::span<const std::int64_t> ids;
};

/// Identifies shared items by id: across all items if both runs have the same content hash, else
/// within the files and folders that both come from (sourceParts). Keeps 8 bytes per item.
[[nodiscard]] SharedItems sharedItems(const RunItems& fitted, const RunItems& evaluated);

/// Evaluating on fitted items gives numbers that are too good. kInvalidArgument if any items are
/// the same, or if more than 1 % are alike, unless `allowed`; accepted overlaps are returned as
/// notes. Messages contain the names and `purpose` (such as "calibration").
[[nodiscard]] Expected<std::vector<std::string>> checkSharedItems(const SharedItems& shared,
                                                                  const std::string& purpose,
                                                                  const std::string& fitted,
                                                                  const std::string& evaluated,
                                                                  bool allowed);

}  // namespace dubito
