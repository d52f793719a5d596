// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// The value of a metric under one convention.
struct ConventionTableRow {
  QString group;       ///< the metric; rows of one metric are adjacent
  QString name;        ///< name of the convention
  QString value_text;  ///< rounded value, with unit
  double value = 0.0;  ///< full value; NaN: not defined
  QString used_by;     ///< tools and papers that use it by default
  QString explanation;
};

/// Metrics of the same predictions under the conventions of several tools. A row shows the
/// convention, the tools that use it on a second line, and the value, with full precision in the
/// tooltip.
class ConventionTable : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ConventionTable(QWidget* parent = nullptr);

  void setRows(std::vector<ConventionTableRow> rows);
  [[nodiscard]] const std::vector<ConventionTableRow>& rows() const { return rows_; }
  /// Columns: metric, convention, value (in full precision), tools that use it by default.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }

 Q_SIGNALS:
  /// The table could not be saved.
  void failed(const QString& message);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fill();

  std::vector<ConventionTableRow> rows_;
  Exporter* exporter_;
};

}  // namespace dubito
