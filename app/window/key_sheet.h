// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace dubito {

/// The keys of the window, on one sheet; not modal.
class KeySheet : public QDialog {
  Q_OBJECT
 public:
  explicit KeySheet(QWidget* parent = nullptr);
};

}  // namespace dubito
