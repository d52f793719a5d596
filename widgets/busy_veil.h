// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace dubito {

/// Fades what lies below it and shows "Computing…", once a computation takes long enough to be
/// noticed. Mouse events pass through.
class BusyVeil : public QWidget {
  Q_OBJECT
 public:
  /// Results that arrive sooner replace the old ones without a flicker.
  static constexpr int kDelayMs = 200;

  explicit BusyVeil(QWidget* parent);

  /// True: appears after kDelayMs. False: disappears at once.
  void setBusy(bool is_busy);
  /// Whether the veil is shown or about to be.
  [[nodiscard]] bool isBusy() const { return delay_.isActive() || !isHidden(); }
  /// Covers `area` of the parent.
  void cover(const QRect& area);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QTimer delay_;
};

}  // namespace dubito
