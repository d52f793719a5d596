// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <optional>
#include <vector>

#include "widgets/compare_table_value.h"
#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

class CompareTableModel;
class CompareTableRows;
class FrozenColumn;

/// A table that compares runs. Clicking a column header sorts by this column, best first. The best
/// value of each column is bold and marked with a dot. The names stay when the table scrolls
/// sideways. As the legend of plots, its rows have ticks, and rows and columns can be hidden.
class CompareTable : public QTableView {
  Q_OBJECT
 public:
  explicit CompareTable(QWidget* parent = nullptr);
  ~CompareTable() override;

  void setValue(CompareTableValue value);
  [[nodiscard]] const CompareTableValue& value() const;
  /// Indices of the rows that are not hidden, in display order.
  [[nodiscard]] std::vector<int> order() const;

  /// Of a legend: whether the plots draw the run of `row`.
  void setDrawn(int row, bool drawn);
  /// `column` is an index of CompareTableValue::columns.
  void setColumnShown(int column, bool shown);
  void setRowShown(int row, bool shown);
  /// Of a legend: adds menus of the columns and of the rows, in which they are chosen.
  void addChoices(QMenu& menu);

  /// All rows and columns, also hidden ones, in full precision: the mean over seeds and, where runs
  /// have several, their standard deviation. Rows in display order, hidden ones last.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Height for a few rows; further rows are reached by scrolling.
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// The table is never lower than so many rows, or all rows if there are fewer.
  void setMinRows(int rows);
  /// Leaves no cell below the names.
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

 Q_SIGNALS:
  /// The table could not be saved.
  void failed(const QString& message);
  /// A row was clicked or reached with the arrow keys.
  void rowChosen(int row);
  /// A row was double-clicked, or Return pressed on it.
  void rowActivated(int row);
  /// A row was ticked or unticked; value() has the new state.
  void drawnChanged(int row);
  /// A column was shown or hidden; value() has the new state.
  void columnShownChanged(int column);
  /// A row was shown or hidden; value() has the new state.
  void rowShownChanged(int row);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 protected Q_SLOTS:
  void updateGeometries() override;

 private:
  void connectRows();
  [[nodiscard]] int sourceRow(const QModelIndex& index) const;
  [[nodiscard]] int heightOf(int rows) const;
  /// Gives the names the width that the other columns leave.
  void fitNames();
  void popUp(const QPoint& position);

  CompareTableModel* model_;
  CompareTableRows* rows_;
  FrozenColumn* names_ = nullptr;
  Exporter* exporter_;
  int min_rows_ = 0;           ///< 0: no minimum
  int names_width_ = 0;        ///< width of the longest name, in pixels
  std::optional<int> chosen_;  ///< width of the names that was dragged
  bool fitting_ = false;       ///< widths are being set
};

}  // namespace dubito
