// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <limits>
#include <optional>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// Runs as rows, metrics as columns.
struct CompareTableValue {
  struct Column {
    QString name;
    QString explanation;
    std::optional<bool> high_is_good;  ///< nothing: neither way is better
    QString topic = {};                ///< for help, see setHelpTopic
  };
  struct Cell {
    QString text;  ///< "98.22 ± 0.04 %"
    double value = std::numeric_limits<double>::quiet_NaN();
    QString tooltip;
    /// What was evaluated: only among equal ones can a value be the best of its column.
    int items = 0;
  };
  struct Row {
    QString name;
    QString detail;
    /// The items cannot be compared with those of the run shown: drawn muted.
    bool other_items = false;
    int run = -1;        ///< colour of its curves: Theme::runColor
    int dash = 0;        ///< of its curves, as StyledCurve has it
    bool shown = false;  ///< the run that the other pages show
    std::vector<Cell> cells;
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
};

class CompareTableModel;

/// The table: sorted by a click on a column's head, best ones first; the best value of each column
/// is bold and marked with a dot.
class CompareTable : public QTableView {
  Q_OBJECT
 public:
  explicit CompareTable(QWidget* parent = nullptr);

  void setValue(CompareTableValue value);
  [[nodiscard]] const CompareTableValue& value() const;
  /// Numbers of the rows in the order in which they are shown.
  [[nodiscard]] std::vector<int> order() const;

  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Room for a few rows; more are scrolled.
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  /// The table could not be saved.
  void failed(const QString& message);
  /// A row was clicked, or walked to by the keys.
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
