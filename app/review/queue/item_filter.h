// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/remark.h"

namespace dubito {

/// State of an image in the review.
enum class ItemState : std::uint8_t {
  kUndecided,
  kDecided,
  kSkipped,
  kAmbiguous,     ///< "can't tell"
  kNotInClasses,  ///< "none of these"
  kFlagged,       ///< for somebody else
  kAny
};

/// Which images a person wants to see.
struct ItemFilter {
  QString name = {};                             ///< part of the file name, in any case; empty: any
  std::optional<std::int64_t> given_class = {};  ///< id of the given label, after merges
  /// Id of the class that was decided, after merges.
  std::optional<std::int64_t> decided_class = {};
  ItemState state = ItemState::kUndecided;
  QString person = {};     ///< whose decision stands; empty: anybody's
  bool commented = false;  ///< only those on which somebody has written a comment
  /// Of all images, chosen at random, the same ones in every window: 1 to 100.
  int percent = 100;

  friend bool operator==(const ItemFilter&, const ItemFilter&) = default;
};

using LabelsByItem = std::unordered_map<std::int64_t, PresentLabel>;
using CommentsByItem = std::unordered_map<std::int64_t, std::vector<Remark>>;

/// The rows of `part` that fit, in ascending order.
[[nodiscard]] std::vector<std::int64_t> filteredRows(const AnalysisPart& part,
                                                     const LabelsByItem& labels,
                                                     const std::vector<LabelClass>& classes,
                                                     const CommentsByItem& comments,
                                                     const ItemFilter& filter);

/// "img_01 · given cat · decided by anna".
[[nodiscard]] QString filterText(const ItemFilter& filter, const std::vector<LabelClass>& classes);

/// Everybody whose decision stands, sorted.
[[nodiscard]] QStringList personsOf(const LabelsByItem& labels);

}  // namespace dubito
