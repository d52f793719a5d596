// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QStringList>
#include <string>

namespace dubito {

/// Recently opened files, newest first, stored in settings owned by the caller.
class RecentFiles {
 public:
  static constexpr int kMaximum = 10;

  explicit RecentFiles(QSettings& settings) : settings_(settings) {}

  [[nodiscard]] QStringList list() const;
  /// Moves `specification` (a path or dataset specification) to the front, adding it if necessary.
  void add(const QString& specification);
  void remove(const QString& specification);
  void clear();

  /// The folder of the last chosen file; empty if no file has been chosen yet.
  [[nodiscard]] QString folder() const;
  void setFolder(const QString& folder);

 private:
  QSettings& settings_;
};

/// Whether any file or folder of a path or dataset specification is missing. Reads the disk.
[[nodiscard]] bool refersToMissingFile(const std::string& specification);

}  // namespace dubito
