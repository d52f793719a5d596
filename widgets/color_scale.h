// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace dubito {

/// The colours of a heat map as a strip, with the values at its ends: "0 [strip] 1.39 nats".
class ColorScale : public QWidget {
  Q_OBJECT
 public:
  explicit ColorScale(QWidget* parent = nullptr);

  void setEnds(const QString& low, const QString& high);
  [[nodiscard]] QString highText() const { return high_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString low_;
  QString high_;
};

}  // namespace dubito
