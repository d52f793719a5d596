// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "app/session/window_words.h"

namespace dubito {

/// What a reader must know about the result of a method, as lines: why it stopped, and its
/// warnings; empty: nothing. `entry` is the Entry of a MethodRunner whose pictures have
/// diagnostics.
template <class Entry>
[[nodiscard]] QString labMethodNotes(const Entry& entry) {
  QStringList lines;
  if (!entry.error.isEmpty()) {
    lines << QString::fromStdString(withWindowLabels(entry.error.toStdString()));
  }
  if (entry.picture) {
    for (const std::string& warning : entry.picture->diagnostics.warnings) {
      lines << QString::fromStdString(withWindowLabels(warning));
    }
  }
  return lines.join(u'\n');
}

}  // namespace dubito
