// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/item_view_values.h"
#include "widgets/plot_table.h"

namespace dubito {

class MetricTableModel;

/// A table of metrics in groups. A group with several scores has one column per score. Values are
/// right-aligned with tabular figures; their tooltips have the full precision.
class MetricTable : public QTableView {
  Q_OBJECT
 public:
  explicit MetricTable(QWidget* parent = nullptr);

  void setRows(std::vector<MetricTableRow> rows);
  [[nodiscard]] const std::vector<MetricTableRow>& rows() const;
  /// One row per value. Columns: group, metric, score, value (in full precision).
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] QString csv() const { return toCsv(table()); }
  [[nodiscard]] QString markdown() const { return toMarkdown(table()); }
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Wide enough to show all values without scrolling.
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The table could not be saved.
  void failed(const QString& message);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  [[nodiscard]] QString topicAt(const QModelIndex& index) const;

  MetricTableModel* model_;
  Exporter* exporter_;
  int needed_width_ = 0;  ///< width of the columns, in pixels
};

}  // namespace dubito
