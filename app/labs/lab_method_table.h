// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstddef>

#include "app/labs/lab_method_notes.h"
#include "widgets/compare_table.h"
#include "widgets/number_text.h"

namespace dubito {

/// A number in a table of methods, with three digits.
[[nodiscard]] inline CompareTableValue::Cell scoreCell(double value) {
  return {shortText(value, 3), value, exactText(value), 0};
}

/// A time in seconds in a table of methods.
[[nodiscard]] inline CompareTableValue::Cell secondsCell(double seconds) {
  return {QStringLiteral("%1 s").arg(shortText(seconds, 2)), seconds, exactText(seconds), 0};
}

/// The row of an Entry of a MethodRunner, without cells. `color` of the method.
template <class Entry>
[[nodiscard]] CompareTableValue::Row methodRow(const Entry& entry, int color) {
  CompareTableValue::Row row;
  row.name = QCoreApplication::translate("Labs", entry.info->name);
  row.detail = labMethodNotes(entry);
  row.run = color;
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
