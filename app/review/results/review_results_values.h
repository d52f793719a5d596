// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/labels/label_store.h"
#include "core/review/effect.h"
#include "widgets/change_list.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

// Texts and values of the Results of a review, in the words of an annotator; the terms of the field
// are in the tooltips.

/// How right and how sure the network is, by the given and by the reviewed labels.
/// `are_given`: the suggestions are the given labels themselves, so that there is no score before.
[[nodiscard]] std::vector<Change> scoreChanges(const ReviewEffect& effect, bool are_given);
/// How many labels repeat the suggestion, and what those say for which it was hidden; empty if
/// nothing is known.
[[nodiscard]] QString suggestedText(const ReviewEffect& effect);

/// A plot, and the line above it.
struct ResultCurve {
  CurvePlotValue value = {};
  QString line = {};
  QString empty = {};    ///< in place of the plot; empty: there is something to show
  QString figure = {};   ///< the headline
  QString tooltip = {};  ///< of the figure
  std::vector<int> decile_of_point = {};  ///< of the points of the first curve; may be empty
};
[[nodiscard]] ResultCurve foundCurve(const FoundErrors& found);

/// Quantity plotted by uncertainty or time.
enum class ReviewCourse { kRate, kTime, kAgreement };
[[nodiscard]] ResultCurve courseCurve(const ReviewEffect& effect, ReviewCourse course);

/// How far persons agree; `name_of` names a class.
[[nodiscard]] std::vector<KeyValue> agreementValues(
    const Ratings& ratings, const std::function<QString(std::int64_t)>& name_of);
/// What each person has done, how often others say the same, and what is reserved for their window.
[[nodiscard]] std::vector<KeyValue> personValues(const std::vector<PersonSummary>& persons,
                                                 const std::vector<Reserved>& reserved);
/// How many images with the label `name` are decided.
[[nodiscard]] KeyValue progressValue(const QString& name, const ClassProgress& progress);
/// How often people follow a suggestion that they see, and one that they do not.
[[nodiscard]] std::vector<KeyValue> visibilityValues(const VisibilityEffect& shown,
                                                     const VisibilityEffect& hidden);

}  // namespace dubito
