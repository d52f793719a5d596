// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>

class QSettings;
class QWidget;

namespace dubito {

/// Size of a window that is opened for the first time: with its frame, whose size is known only
/// once it is shown, it fits into the `available` part of the screen.
[[nodiscard]] QSize initialWindowSize(const QSize& available);

/// Stores the size, the position and the splitter sizes of a window between program runs.
class WindowMemory : public QObject {
  Q_OBJECT
 public:
  /// Restores the stored state, and stores it again when the window closes. `settings` must outlive
  /// the window.
  WindowMemory(QWidget& window, QSettings& settings);

  /// Restores the sizes of all splitters that the window has by now.
  void restoreSplitters();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void save() const;

  QWidget& window_;
  QSettings& settings_;
};

}  // namespace dubito
