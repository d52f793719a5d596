// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "widgets/item_view_values.h"

namespace dubito {

/// Arranges metric rows in lines for display. Each group has a heading line with the names of its
/// scores, then one line per metric with a value under each score. Column 0 contains the names.
class MetricTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit MetricTableModel(QObject* parent = nullptr);

  void setRows(std::vector<MetricTableRow> rows);
  /// Replaces the values of rows that differ in nothing else, which keeps the lines; else does
  /// nothing and returns false.
  [[nodiscard]] bool setValues(std::vector<MetricTableRow>& rows);
  [[nodiscard]] const std::vector<MetricTableRow>& rows() const { return rows_; }
  [[nodiscard]] bool isHeading(int line) const;
  /// True if `line` is a heading with score names next to the group name.
  [[nodiscard]] bool hasScores(int line) const;
  /// First column of `line` with a value. Values of all groups end at the right edge; the name
  /// extends over the columns before them.
  [[nodiscard]] int firstValueColumn(int line) const;
  /// The metric row whose value a cell shows; null if none.
  [[nodiscard]] const MetricTableRow* metricAt(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Line {
    bool heading = false;
    QString name;
    QStringList scores;      ///< score names, for headings
    std::vector<int> cells;  ///< index into rows_ under each score; -1: none
    int score_count = 1;     ///< number of scores of the group
  };

  std::vector<MetricTableRow> rows_;
  std::vector<Line> lines_;
  int value_columns_ = 1;
};

}  // namespace dubito
