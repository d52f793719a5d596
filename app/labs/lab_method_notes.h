// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace dubito {

/// What a reader must know about the result of a method, as lines: why it stopped, and its
/// warnings; empty: nothing. `entry` is the Entry of a MethodRunner whose pictures have
/// diagnostics.
template <class Entry>
[[nodiscard]] QString labMethodNotes(const Entry& entry) {
  QStringList lines;
  if (!entry.error.isEmpty()) {
    lines << entry.error;
  }
  if (entry.picture) {
    for (const std::string& warning : entry.picture->diagnostics.warnings) {
      lines << QString::fromStdString(warning);
    }
  }
  return lines.join(u'\n');
}

/// What the bar says when all methods of a MethodRunner have ended: which of them have not
/// converged.
template <class Runner>
[[nodiscard]] QString finishedText(const Runner& runner) {
  QStringList names;
  for (const auto& entry : runner.entries()) {
    if (entry.picture && !entry.picture->diagnostics.converged) {
      names << QCoreApplication::translate("Labs", entry.info->name);
    }
  }
  return names.isEmpty() ? QCoreApplication::translate("Labs", "Finished")
                         : QCoreApplication::translate("Labs", "Finished, not converged: %1")
                               .arg(names.join(QStringLiteral(", ")));
}

/// Set of cells in which a row of a CompareTable is ranked: one for all results that have
/// converged, and one of its own for any other, which is never the best.
template <class Entry>
[[nodiscard]] int rankedSetOf(const Entry& entry, std::size_t row) {
  return entry.picture && entry.picture->diagnostics.converged ? 0 : static_cast<int>(row) + 1;
}

}  // namespace dubito
