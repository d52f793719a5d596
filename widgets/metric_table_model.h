// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "widgets/item_view_values.h"

namespace dubito {

/// Lays metric rows out: per group a heading line with the names of its scores, then one line a
/// metric with a value under each score. Column 0 holds the names.
class MetricTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit MetricTableModel(QObject* parent = nullptr);

  void setRows(std::vector<MetricTableRow> rows);
  [[nodiscard]] const std::vector<MetricTableRow>& rows() const { return rows_; }
  [[nodiscard]] bool isHeading(int line) const;
  /// A heading with names of scores beside the group's name.
  [[nodiscard]] bool hasScores(int line) const;
  /// The column of the first value of a line: the values of all groups end at the right edge, and
  /// the names have what is left.
  [[nodiscard]] int firstValueColumn(int line) const;
  /// The row shown in a cell, or nothing.
  [[nodiscard]] const MetricTableRow* metricAt(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Line {
    bool heading = false;
    QString name;
    QStringList scores;      ///< of a heading
    std::vector<int> cells;  ///< number of the row under each score, -1: none
    int score_count = 1;     ///< of the group
  };

  std::vector<MetricTableRow> rows_;
  std::vector<Line> lines_;
  int value_columns_ = 1;
};

}  // namespace dubito
