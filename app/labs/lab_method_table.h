// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstddef>

#include "app/labs/lab_method_notes.h"
#include "widgets/compare_table.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {

/// A number in a table of methods, with three digits.
[[nodiscard]] inline CompareTableValue::Cell scoreCell(double value) {
  return {shortText(value, 3), value, exactText(value), 0};
}

/// A time in seconds in a table of methods.
[[nodiscard]] inline CompareTableValue::Cell secondsCell(double seconds) {
  return {QStringLiteral("%1 s").arg(shortText(seconds, 2)), seconds, exactText(seconds), 0};
}

/// Dash of the curves of a method with the style Entry::style; the style itself is an index for
/// Theme::runColor. Hues come first, then dashes, so that few methods differ in hue.
[[nodiscard]] constexpr int dashOfStyle(int style) {
  return style / Theme::kRunHues;
}

/// The row of an Entry of a MethodRunner, without cells.
template <class Entry>
[[nodiscard]] CompareTableValue::Row methodRow(const Entry& entry) {
  CompareTableValue::Row row;
  row.name = QCoreApplication::translate("Labs", entry.info->name);
  row.detail = labMethodNotes(entry);
  row.run = entry.style;
  row.dash = dashOfStyle(entry.style);
  return row;
}

/// Whether the picture of an Entry belongs to the data of its MethodRunner.
template <class Runner>
[[nodiscard]] bool hasValidPicture(const Runner& runner, const typename Runner::Entry& entry) {
  return entry.picture && entry.error.isEmpty() && runner.dataError().isEmpty();
}

/// How far the method is: "step 20 of 600"; empty: it has a single step, or no picture.
template <class Entry>
[[nodiscard]] QString methodProgress(const Entry& entry) {
  return entry.picture && entry.picture->total > 1
             ? QCoreApplication::translate("Labs", "step %1 of %2")
                   .arg(countText(entry.picture->done), countText(entry.picture->total))
             : QString();
}

}  // namespace dubito
