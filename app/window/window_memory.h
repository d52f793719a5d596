// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSettings;
class QWidget;

namespace dubito {

/// Stores the size, the position and the splitter sizes of a window between program runs.
class WindowMemory : public QObject {
  Q_OBJECT
 public:
  /// Restores the stored state, and stores it again when the window closes. `settings` must outlive
  /// the window.
  WindowMemory(QWidget& window, QSettings& settings);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void restore();
  void save() const;

  QWidget& window_;
  QSettings& settings_;
};

}  // namespace dubito
