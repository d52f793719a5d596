// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"

namespace dubito {

/// The classes of a label store.
struct StoreClasses {
  std::vector<LabelClass> classes;   ///< sorted by id, merged ones included
  std::vector<std::string> network;  ///< names of the network's outputs at first, by number
};

/// The classes of a dataset and its label store together.
struct ReviewedClasses {
  std::vector<std::string> names;
  /// By position in StoreClasses::classes: its number in `names`, after merges.
  std::vector<std::int64_t> of_store;
  /// By number in `names`: the number after merges.
  std::vector<std::int64_t> merged;
  std::int64_t shared = 0;  ///< classes of the store that the dataset has
};

/// The dataset's classes with their numbers, under their new names if the review has renamed them,
/// followed by those that only the store has, in order of their ids; of the latter without those
/// merged into others. Classes are found by name, present or at first (classByName); if the dataset
/// has only numbers, an output of the network is the class of its number, and one without a name is
/// named by its number.
[[nodiscard]] ReviewedClasses reviewedClasses(const Dataset& dataset, const StoreClasses& store);

/// Which decisions count, and what becomes of the other items.
struct ReviewedOptions {
  bool keeps_undecided = true;
  bool persons_only = false;
};

/// The items of a dataset that remain, with their labels.
struct ReviewedItems {
  std::vector<std::int64_t> rows;    ///< positions in the dataset, ascending
  std::vector<std::int64_t> labels;  ///< as long; numbers of ReviewedClasses::names, -1: unknown
  std::int64_t decided = 0;          ///< with a class by a decision
  std::int64_t changed = 0;          ///< of these: another class than the dataset's label
  std::int64_t by_model = 0;         ///< of these: decided by the model
  std::int64_t conflicts = 0;        ///< of these: persons disagree; the newest decision counts
  std::int64_t unusable = 0;         ///< left out: no class fits, or nobody can tell
  std::int64_t undecided = 0;
  std::int64_t elsewhere = 0;  ///< labels of items that the dataset does not have
};

/// Applies the present labels of a store.
[[nodiscard]] ReviewedItems reviewedItems(const Dataset& dataset, const StoreClasses& store,
                                          const ReviewedClasses& classes,
                                          std::span<const PresentLabel> labels,
                                          const ReviewedOptions& options);

}  // namespace dubito
