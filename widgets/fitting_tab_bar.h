// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace dubito {

/// Tabs that are always all visible: in a window that is too narrow for them they move together,
/// then their titles are shortened. None hides behind arrows.
class FittingTabBar : public QTabBar {
  Q_OBJECT
 public:
  explicit FittingTabBar(QWidget* parent);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int roomy_width_ = 0;
  bool narrow_ = false;
};

}  // namespace dubito
