// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

/// A statement about the data shown that every export carries: pictures as a line of its own below
/// the caption, numbers as a last column `label_source`, documents as a last line. Empty: none. GUI
/// thread only.
[[nodiscard]] const QString& exportNote();
void setExportNote(const QString& note);

}  // namespace dubito
