// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>
#include <limits>
#include <optional>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// Result of a run for one item. NaN values are not available for this run.
struct ItemRunRow {
  QString name;
  QString detail;               ///< tooltip: seed and datasets
  QString label_predicted;      ///< class name
  std::optional<bool> correct;  ///< nullopt if the true class is unknown
  double confidence = std::numeric_limits<double>::quiet_NaN();
  double entropy = std::numeric_limits<double>::quiet_NaN();             ///< nats
  double mutual_information = std::numeric_limits<double>::quiet_NaN();  ///< nats
  bool shown = false;  ///< whether this is the run shown
};

/// Compares the results of several runs for one item, one run per row: the prediction, marked as
/// correct or wrong by colour and symbol, and its uncertainty. Clicking a row or pressing Return
/// emits runChosen().
class ItemRunsTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit ItemRunsTable(QWidget* parent = nullptr);

  void setRuns(std::vector<ItemRunRow> runs);
  [[nodiscard]] const std::vector<ItemRunRow>& runs() const { return runs_; }
  /// The table, one row per run, in full precision.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] QString csv() const { return toCsv(table()); }
  [[nodiscard]] Exporter& exporter() { return *exporter_; }

 Q_SIGNALS:
  void runChosen(int row);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fill();

  std::vector<ItemRunRow> runs_;
  Exporter* exporter_;
};

}  // namespace dubito
