// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <functional>

namespace dubito {

/// A menu of ticks. It stays open while entries are ticked, so that several can be chosen. The
/// first two entries tick all of them and none.
class TickMenu : public QMenu {
  Q_OBJECT
 public:
  TickMenu(const QString& title, QWidget* parent);

  /// Adds an entry; `changed` receives its new state.
  void addTick(const QString& text, bool ticked, std::function<void(bool)> changed);
  [[nodiscard]] bool hasTicks() const { return has_ticks_; }

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void tickAll(bool ticked);
  /// Triggers the entry under the mouse or the keys; false if there is none.
  [[nodiscard]] bool triggerActive();

  bool has_ticks_ = false;
};

}  // namespace dubito
