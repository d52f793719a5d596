// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "widgets/item_view_values.h"

namespace dubito {

/// Arranges metric rows for display: per group a heading with the names of its scores, then one row
/// per metric with a value under each score. Column 0 holds the names.
class MetricTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit MetricTableModel(QObject* parent = nullptr);

  void setRows(std::vector<MetricTableRow> rows);
  [[nodiscard]] const std::vector<MetricTableRow>& rows() const { return rows_; }
  [[nodiscard]] bool isHeading(int line) const;
  /// A heading that lists scores next to the group name.
  [[nodiscard]] bool hasScores(int line) const;
  /// First value column of a row: values of all groups are aligned at the right edge, names use the
  /// remaining width.
  [[nodiscard]] int firstValueColumn(int line) const;
  /// The row shown in a cell; null if none.
  [[nodiscard]] const MetricTableRow* metricAt(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Line {
    bool heading = false;
    QString name;
    QStringList scores;      ///< of a heading row
    std::vector<int> cells;  ///< row index under each score, -1: none
    int score_count = 1;     ///< of its group
  };

  std::vector<MetricTableRow> rows_;
  std::vector<Line> lines_;
  int value_columns_ = 1;
};

}  // namespace dubito
