// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <utility>
#include <vector>

namespace dubito {

/// A key, or something done with the mouse, and what it does.
using KeyMeaning = std::pair<QString, QString>;

/// The keys of the window, on one sheet; not modal.
class KeySheet : public QDialog {
  Q_OBJECT
 public:
  /// `keys` of the commands; those that every widget understands are added.
  explicit KeySheet(std::vector<KeyMeaning> keys, QWidget* parent = nullptr);
};

}  // namespace dubito
