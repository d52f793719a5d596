// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <limits>
#include <optional>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// Content of a CompareTable: runs as rows, metrics as columns.
struct CompareTableValue {
  struct Column {
    QString name;
    QString explanation;
    std::optional<bool> high_is_good;  ///< nullopt: neither direction is better
    QString topic = {};                ///< help topic, see setHelpTopic
  };
  struct Cell {
    QString text;  ///< "98.22 ± 0.04 %"
    double value = std::numeric_limits<double>::quiet_NaN();
    QString tooltip = {};
    /// Id of the set of items evaluated; only values with the same id are ranked against each
    /// other.
    int items = 0;
    bool is_warning = false;  ///< drawn in the colour of errors, for example a broken guarantee
  };
  struct Row {
    QString name;
    QString detail;
    /// Evaluated on different items from the run shown, and therefore drawn muted.
    bool other_items = false;
    int run = -1;        ///< colour index of the run's curves, see Theme::runColor; -1: no curve
    int dash = 0;        ///< dash pattern of the run's curves, see StyledCurve
    bool shown = false;  ///< whether the other pages show this run
    std::vector<Cell> cells;
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
  QString row_heading = {};  ///< of the names of the rows; empty: "run"
};

class CompareTableModel;

/// A table that compares runs. Clicking a column header sorts by this column, best first. The best
/// value of each column is bold and marked with a dot.
class CompareTable : public QTableView {
  Q_OBJECT
 public:
  explicit CompareTable(QWidget* parent = nullptr);

  void setValue(CompareTableValue value);
  [[nodiscard]] const CompareTableValue& value() const;
  /// Row indices in display order.
  [[nodiscard]] std::vector<int> order() const;

  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Height for a few rows; further rows are reached by scrolling.
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  /// The table could not be saved.
  void failed(const QString& message);
  /// A row was clicked or reached with the arrow keys.
  void rowChosen(int row);
  /// A row was double-clicked, or Return pressed on it.
  void rowActivated(int row);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  CompareTableModel* model_;
  Exporter* exporter_;
};

}  // namespace dubito
