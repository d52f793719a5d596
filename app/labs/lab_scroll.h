// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace dubito {

/// Shows `content` as large as the area, and scrolls only if its layout cannot be that small.
/// (QScrollArea alone takes the preferred height for the least one as soon as a text wraps.)
class LabScroll : public QScrollArea {
  Q_OBJECT
 public:
  /// Takes ownership of `content`, which has a layout.
  LabScroll(QWidget* content, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitContent();
};

}  // namespace dubito
