// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

namespace dubito {

/// A horizontal slider with a triangle under one of its places.
class MarkedSlider : public QSlider {
  Q_OBJECT
 public:
  explicit MarkedSlider(QWidget* parent = nullptr);

  /// Marks a step; nothing: none.
  void setMark(std::optional<int> step);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<int> mark_;
};

}  // namespace dubito
