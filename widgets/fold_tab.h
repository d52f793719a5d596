// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace dubito {

/// A narrow vertical tab at the right edge of a window that opens and closes a panel next to it:
/// checked means open. The text runs from top to bottom.
class FoldTab : public QAbstractButton {
  Q_OBJECT
 public:
  FoldTab(const QString& text, QWidget* parent);

  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace dubito
