// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

namespace dubito {

/// A horizontal slider with a triangular mark under one of its steps.
class MarkedSlider : public QSlider {
  Q_OBJECT
 public:
  explicit MarkedSlider(QWidget* parent = nullptr);

  /// Sets the marked step; nullopt: none.
  void setMark(std::optional<int> step);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<int> mark_;
};

}  // namespace dubito
