// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <variant>
#include <vector>

#include "app/session/item_listing.h"

namespace dubito {

/// The listed items of a run as rows: item number, dataset, classes, loss, measures and attributes.
/// A value is read when its cell is shown, so the number of items does not affect painting.
class ItemTableModel : public QAbstractTableModel {
 public:
  /// The dataset of an item; items cannot be sorted by it.
  struct DatasetName {
    friend bool operator==(DatasetName, DatasetName) = default;
  };
  /// A measure, or the name of an attribute.
  using Column = std::variant<ItemColumn, DatasetName, Measure, std::string>;

  using QAbstractTableModel::QAbstractTableModel;

  /// Rows in the order of `items`. Both may be null; columns stay until the next analysis. Returns
  /// whether the columns have changed.
  bool setItems(const AnalysisPtr& analysis, const ItemList& items);
  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  [[nodiscard]] const ItemList& items() const { return items_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  /// The column by which `query` sorts; -1: none of them.
  [[nodiscard]] int sortedColumn(const ItemQuery& query) const;
  /// `query` sorted by `column`: the other way if it is already sorted by it, else the most
  /// uncertain, the largest loss, or the first item or class first. Unchanged for the dataset.
  [[nodiscard]] ItemQuery sortedBy(int column, ItemQuery query) const;

  /// Name of a column, for exported tables: the key of a measure.
  [[nodiscard]] QString exportName(int column) const;
  /// The value of a cell in full precision: a number, or a text.
  [[nodiscard]] QVariant exportValue(int row, int column) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  [[nodiscard]] ItemRef itemAt(int row) const { return (*items_)[static_cast<std::size_t>(row)]; }
  /// The number in a cell; NaN if it has none or is a text.
  [[nodiscard]] double number(ItemRef item, const Column& column) const;
  [[nodiscard]] QString text(ItemRef item, const Column& column) const;
  [[nodiscard]] QVariant foreground(ItemRef item, const Column& column) const;

  AnalysisPtr analysis_;
  ItemList items_;
  std::vector<Column> columns_;
};

}  // namespace dubito
