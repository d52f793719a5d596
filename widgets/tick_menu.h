// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <functional>

namespace dubito {

/// A menu of ticks. It stays open while entries are ticked, so that several can be chosen.
class TickMenu : public QMenu {
  Q_OBJECT
 public:
  using QMenu::QMenu;

  /// Adds an entry; `changed` receives its new state.
  void addTick(const QString& text, bool ticked, std::function<void(bool)> changed);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Ticks or unticks the entry under the mouse or the keys; false if it is not a tick.
  [[nodiscard]] bool toggleActive();
};

}  // namespace dubito
