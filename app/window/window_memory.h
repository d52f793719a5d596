// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSettings;
class QWidget;

namespace dubito {

/// Remembers size, place and the divisions of a window from one start to the next.
class WindowMemory : public QObject {
  Q_OBJECT
 public:
  /// Brings back what was remembered, and remembers it anew when the window is closed. `settings`
  /// outlive the window.
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
