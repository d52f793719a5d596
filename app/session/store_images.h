// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>

namespace dubito {

/// The folders in which a person has found the images of label stores that are no longer where they
/// were when the store was made. Kept for each person, because others may see the same store with
/// the images elsewhere.
class StoreImages {
 public:
  explicit StoreImages(QSettings& settings) : settings_(settings) {}

  /// Empty if none is known, or if it is gone.
  [[nodiscard]] QString folderOf(const QString& store) const;
  void remember(const QString& store, const QString& folder);

 private:
  QSettings& settings_;
};

}  // namespace dubito
