// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <map>
#include <vector>

#include "widgets/compare_table_value.h"

namespace dubito {

/// Name of the first column.
[[nodiscard]] QString rowHeading(const CompareTableValue& value);

/// The value of a CompareTable as a model. Column 0 has the names, with the line of each run and,
/// in a legend, its tick.
class CompareTableModel : public QAbstractTableModel {
 public:
  /// Role of the sort key: smaller values come first.
  static constexpr int kSortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  void setValue(CompareTableValue value);
  [[nodiscard]] const CompareTableValue& value() const { return value_; }
  /// Whether a cell of `column`, which counts the metrics, is the best of several over the same
  /// items.
  [[nodiscard]] bool isBest(const CompareTableValue::Cell& cell, std::size_t column) const;
  /// `column` counts the metrics.
  void setColumnHidden(int column, bool hidden);
  /// The filter of the rows has to be applied again, see CompareTableRows.
  void setRowHidden(int row, bool hidden);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  /// Ticks or unticks a row.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  struct Best {
    double value = 0.0;
    int runs = 0;  ///< runs that have a value
  };
  /// Of the rows that are not hidden.
  void findBest();
  [[nodiscard]] QVariant nameData(const CompareTableValue::Row& row, int role) const;
  [[nodiscard]] QVariant cellData(const CompareTableValue::Row& row, std::size_t column,
                                  int role) const;

  CompareTableValue value_;
  /// Per column, then per evaluated item set.
  std::vector<std::map<int, Best>> best_;
};

/// The rows that are not hidden, sorted.
class CompareTableRows : public QSortFilterProxyModel {
 public:
  CompareTableRows(CompareTableModel& model, QObject* parent);

  void applyFilter() { invalidateFilter(); }

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  CompareTableModel& model_;
};

}  // namespace dubito
