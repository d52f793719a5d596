// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSettings;
class QWidget;

namespace dubito {

/// Remembers size, position and splitter sizes of a window between sessions.
class WindowMemory : public QObject {
  Q_OBJECT
 public:
  /// Restores the saved state, and saves it when the window closes. `settings` outlives the window.
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
