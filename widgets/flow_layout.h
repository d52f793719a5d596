// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace dubito {

/// Arranges items from left to right at their size hints and wraps them like words. An item wider
/// than the layout gets a whole line.
class FlowLayout : public QLayout {
  Q_OBJECT
 public:
  /// `gap` is the space between items, in pixels.
  explicit FlowLayout(QWidget* parent, int gap);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// Returns the total height of the items at the width of `rect`. If `place`, also positions them
  /// in `rect`.
  int arrange(const QRect& rect, bool place) const;

  std::vector<std::unique_ptr<QLayoutItem>> items_;
  int gap_;
};

}  // namespace dubito
