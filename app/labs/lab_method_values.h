// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>

#include "app/labs/lab_values.h"
#include "core/labs/methods/lab_method.h"
#include "widgets/theme.h"

namespace dubito {

// What the laboratories of several methods show of them. An `Entry` is that of a MethodRunner.

/// The numbers by which a fit is judged, most important first: "evidence −12.3 nats", "ELBO −80.1
/// nats", "R-hat 1.002", "ESS 850", "acceptance 83 %", "0 divergences", or the loss if there is
/// nothing better. Empty: the method has none yet.
[[nodiscard]] QStringList methodNumbers(const LabDiagnostics& diagnostics);

/// What a reader must know about the result of a method, as lines: why it stopped, and its
/// warnings; empty: nothing.
template <class Entry>
[[nodiscard]] QString labMethodNotes(const Entry& entry) {
  QStringList lines{entry.error};
  if (entry.picture) {
    lines << toTexts(entry.picture->diagnostics.warnings);
  }
  lines.removeAll({});
  return lines.join(u'\n');
}

/// What the bar says when all methods of a MethodRunner have ended: which of them have not
/// converged.
template <class Runner>
[[nodiscard]] QString finishedText(const Runner& runner) {
  QStringList names;
  for (const auto& entry : runner.entries()) {
    if (entry.picture && !entry.picture->diagnostics.converged) {
      names << labText(entry.info->name);
    }
  }
  return names.isEmpty()
             ? labText("Finished")
             : labText("Finished, not converged: %1").arg(names.join(QStringLiteral(", ")));
}

/// How far the method is: "step 20 of 600"; empty: it has a single step, or no picture.
template <class Entry>
[[nodiscard]] QString methodProgress(const Entry& entry) {
  return entry.picture && entry.picture->total > 1
             ? labText("step %1 of %2")
                   .arg(countText(entry.picture->done), countText(entry.picture->total))
             : QString();
}

/// Whether the picture of an Entry belongs to the data of its MethodRunner.
template <class Runner>
[[nodiscard]] bool hasValidPicture(const Runner& runner, const typename Runner::Entry& entry) {
  return entry.picture && entry.error.isEmpty() && runner.dataError().isEmpty();
}

/// Dash of the curves of a method with the style Entry::style; the style itself is an index for
/// Theme::runColor. Hues come first, then dashes, so that few methods differ in hue.
[[nodiscard]] constexpr int dashOfStyle(int style) {
  return style / Theme::kRunHues;
}

/// Set of cells in which a row of a CompareTable is ranked: one for all results that have
/// converged, and one of its own for any other, which is never the best.
template <class Entry>
[[nodiscard]] int rankedSetOf(const Entry& entry, std::size_t row) {
  return entry.picture && entry.picture->diagnostics.converged ? 0 : static_cast<int>(row) + 1;
}

/// The row of an Entry, without cells.
template <class Entry>
[[nodiscard]] CompareTableValue::Row methodRow(const Entry& entry) {
  CompareTableValue::Row row;
  row.name = labText(entry.info->name);
  row.detail = labMethodNotes(entry);
  row.run = entry.style;
  row.dash = dashOfStyle(entry.style);
  return row;
}

/// A time in seconds in a table of methods.
[[nodiscard]] CompareTableValue::Cell secondsCell(double seconds);

}  // namespace dubito
