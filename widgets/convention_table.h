// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// One metric by one convention.
struct ConventionTableRow {
  QString group;       ///< rows of one group stand together
  QString name;        ///< what is done
  QString value_text;  ///< short, with unit
  double value = 0.0;  ///< full value; NaN: not defined
  QString used_by;     ///< the tools and papers that do it
  QString explanation;
};

/// The same predictions under the conventions of several tools: what is done, below it who does it,
/// beside it what comes out. The full value is in the tooltip.
class ConventionTable : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ConventionTable(QWidget* parent = nullptr);

  void setRows(std::vector<ConventionTableRow> rows);
  [[nodiscard]] const std::vector<ConventionTableRow>& rows() const { return rows_; }
  /// metric, convention, value, used by: full digits.
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
