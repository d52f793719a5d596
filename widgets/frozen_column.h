// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace dubito {

/// The first column of a table once more, in a view that lies on the table and stays when the table
/// scrolls sideways. Texts are elided in the middle. Selection, sorting, widths and vertical
/// position are those of the table.
class FrozenColumn : public QTableView {
  Q_OBJECT
 public:
  /// `table` owns this view and has its model and its settings.
  explicit FrozenColumn(QTableView& table);

  /// Covers the first column of the table; for QTableView::updateGeometries.
  void place();
  /// Scrolls the table sideways until `index` is not covered.
  void uncover(const QModelIndex& index);

 protected:
  /// Draws the edge under which the other columns disappear.
  void paintEvent(QPaintEvent* event) override;

 private:
  void hideOtherColumns();

  QTableView& table_;
};

}  // namespace dubito
