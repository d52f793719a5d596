// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// One metric under one convention.
struct ConventionTableRow {
  QString group;       ///< rows of one group are adjacent
  QString name;        ///< the convention
  QString value_text;  ///< short, with unit
  double value = 0.0;  ///< full value; NaN: not defined
  QString used_by;     ///< tools and papers that use it
  QString explanation;
};

/// The same predictions under the conventions of several tools: the convention, the tools that use
/// it on a second line, and the resulting value. The tooltip has the value in full precision.
class ConventionTable : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ConventionTable(QWidget* parent = nullptr);

  void setRows(std::vector<ConventionTableRow> rows);
  [[nodiscard]] const std::vector<ConventionTableRow>& rows() const { return rows_; }
  /// Columns: metric, convention, value, default of; in full precision.
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
