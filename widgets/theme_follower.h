// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace dubito {

/// Restyles a widget after each change of the theme: at once if the widget can be seen, else when
/// it is shown next, so that a change takes no time for pages in the background.
class ThemeFollower : public QObject {
 public:
  /// A child of `widget`.
  ThemeFollower(QWidget& widget, std::function<void()> restyle);

  /// Restyles now if that was put off.
  void catchUp();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] bool canWait() const;

  QWidget& widget_;
  std::function<void()> restyle_;
  bool is_due_ = false;
};

}  // namespace dubito
