// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/item_table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/words/words.h"
#include "core/analysis/item_attributes.h"
#include "core/base/nan.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

using Column = ItemTableModel::Column;

/// Three decimals, so that the values of a column can be compared; small values keep significant
/// digits instead.
QString cellText(double value) {
  constexpr double kSmall = 0.0005;
  const bool is_small = value != 0.0 && std::abs(value) < kSmall;
  return !std::isfinite(value) || is_small ? shortText(value, 2) : QString::number(value, 'f', 3);
}

std::vector<Column> columnsOf(const Analysis& analysis) {
  std::vector<Column> columns{ItemColumn::kItem};
  if (analysis.parts.size() > 1) {
    columns.emplace_back(ItemTableModel::DatasetName{});
  }
  columns.emplace_back(ItemColumn::kLabel);
  columns.emplace_back(ItemColumn::kPredicted);
  if (!analysis.losses.empty()) {
    columns.emplace_back(ItemColumn::kLoss);
  }
  for (const Measure measure : allMeasures()) {
    if (analysis.in().has(measure)) {
      columns.emplace_back(measure);
    }
  }
  const auto at = static_cast<std::ptrdiff_t>(columns.size());
  for (const AnalysisPart& part : analysis.parts) {
    for (const Attribute& attribute :
         part.dataset ? part.dataset->attributes() : std::span<const Attribute>()) {
      const auto isSame = [&attribute](const Column& column) {
        return std::get<std::string>(column) == attribute.name;
      };
      if (std::none_of(columns.begin() + at, columns.end(), isSame)) {
        columns.emplace_back(attribute.name);
      }
    }
  }
  return columns;
}

QString headingOf(const Column& column) {
  if (const auto* const fixed = std::get_if<ItemColumn>(&column)) {
    switch (*fixed) {
      case ItemColumn::kItem:
        return QAbstractTableModel::tr("item");
      case ItemColumn::kLabel:
        return QAbstractTableModel::tr("true");
      case ItemColumn::kPredicted:
        return QAbstractTableModel::tr("predicted");
      case ItemColumn::kLoss:
        return columnName(*fixed);
    }
  }
  if (const auto* const measure = std::get_if<Measure>(&column)) {
    return QString::fromUtf8(describe(*measure).short_name);
  }
  const auto* const attribute = std::get_if<std::string>(&column);
  return attribute != nullptr ? QString::fromStdString(*attribute)
                              : QAbstractTableModel::tr("dataset");
}

QString explanationOf(const Column& column) {
  if (const auto* const fixed = std::get_if<ItemColumn>(&column)) {
    return *fixed == ItemColumn::kLoss
               ? QAbstractTableModel::tr("−log of the probability of the true class, nats")
               : columnName(*fixed);
  }
  if (const auto* const measure = std::get_if<Measure>(&column)) {
    return QStringLiteral("%1: %2").arg(measureName(*measure), measureFormula(*measure));
  }
  return headingOf(column);
}

bool isNumeric(const Column& column) {
  return std::holds_alternative<Measure>(column) || column == Column(ItemColumn::kLoss);
}

}  // namespace

bool ItemTableModel::setItems(const AnalysisPtr& analysis, const ItemList& items) {
  std::vector<Column> columns = analysis ? columnsOf(*analysis) : columns_;
  const bool changed = columns != columns_;
  beginResetModel();
  analysis_ = analysis;
  items_ = analysis ? items : nullptr;
  columns_ = std::move(columns);
  endResetModel();
  return changed;
}

int ItemTableModel::sortedColumn(const ItemQuery& query) const {
  const Column sorted = query.sort_column      ? Column(*query.sort_column)
                        : query.sort_attribute ? Column(*query.sort_attribute)
                                               : Column(query.sort);
  const auto found = std::ranges::find(columns_, sorted);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

ItemQuery ItemTableModel::sortedBy(int column, ItemQuery query) const {
  const Column& by = columns_[static_cast<std::size_t>(column)];
  if (std::holds_alternative<DatasetName>(by)) {
    return query;
  }
  if (sortedColumn(query) == column) {
    query.descending = !query.descending;
    return query;
  }
  query.sort_column.reset();
  query.sort_attribute.reset();
  query.descending = false;
  if (const auto* const fixed = std::get_if<ItemColumn>(&by)) {
    query.sort_column = *fixed;
    query.descending = *fixed == ItemColumn::kLoss;
  } else if (const auto* const measure = std::get_if<Measure>(&by)) {
    query.sort = *measure;
    query.descending = !highIsCertain(*measure);
  } else {
    query.sort_attribute = std::get<std::string>(by);
  }
  return query;
}

int ItemTableModel::rowCount(const QModelIndex& parent) const {
  const std::size_t items = items_ ? items_->size() : 0;
  return parent.isValid()
             ? 0
             : static_cast<int>(std::min<std::size_t>(items, std::numeric_limits<int>::max()));
}

int ItemTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant ItemTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
    return {};
  }
  const Column& column = columns_[static_cast<std::size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
      return headingOf(column);
    case Qt::ToolTipRole:
      return std::holds_alternative<DatasetName>(column)
                 ? explanationOf(column)
                 : tr("%1\nclick to sort").arg(explanationOf(column));
    case Qt::TextAlignmentRole:
      return QVariant((isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

double ItemTableModel::number(ItemRef item, const Column& column) const {
  const AnalysisPart& part = analysis_->partOf(item);
  if (const auto* const measure = std::get_if<Measure>(&column)) {
    return part.has(*measure) ? part.values(*measure).data()[item.row] : kNaN;
  }
  return column == Column(ItemColumn::kLoss) ? analysis_->lossOf(item) : kNaN;
}

QString ItemTableModel::text(ItemRef item, const Column& column) const {
  const AnalysisPart& part = analysis_->partOf(item);
  if (const auto* const fixed = std::get_if<ItemColumn>(&column)) {
    switch (*fixed) {
      case ItemColumn::kItem:
        return itemName(*analysis_, item);
      case ItemColumn::kLabel:
        return groupOf(*analysis_, item) == ItemGroup::kOod ? groupName(ItemGroup::kOod)
                                                            : trueClassName(*analysis_, item);
      case ItemColumn::kPredicted:
        return className(*analysis_, part.run->predictions.data()[item.row]);
      case ItemColumn::kLoss:
        return cellText(number(item, column));
    }
  }
  if (std::holds_alternative<Measure>(column)) {
    return cellText(number(item, column));
  }
  const auto* const attribute = std::get_if<std::string>(&column);
  if (attribute == nullptr) {
    return QString::fromStdString(part.name);
  }
  const Attribute* const found = findAttribute(part, *attribute);
  return found == nullptr ? QString()
                          : QString::fromStdString(attributeText(part, *found, item.row));
}

QVariant ItemTableModel::foreground(ItemRef item, const Column& column) const {
  const ItemGroup group = groupOf(*analysis_, item);
  const bool marks = column == Column(ItemColumn::kPredicted)
                         ? group == ItemGroup::kCorrect || group == ItemGroup::kMisclassified
                         : column == Column(ItemColumn::kLabel) && group == ItemGroup::kOod;
  return marks ? QVariant(currentTheme().color(groupColor(group))) : QVariant();
}

QVariant ItemTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) {
    return {};
  }
  const ItemRef item = itemAt(index.row());
  const Column& column = columns_[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return text(item, column);
    case Qt::ToolTipRole: {
      const auto* const measure = std::get_if<Measure>(&column);
      return !isNumeric(column) ? text(item, column)
                                : QStringLiteral("%1 %2")
                                      .arg(exactText(number(item, column)),
                                           measure != nullptr ? measureUnit(*measure) : tr("nats"))
                                      .trimmed();
    }
    case Qt::ForegroundRole:
      return foreground(item, column);
    case Qt::TextAlignmentRole:
      return QVariant((isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QString ItemTableModel::exportName(int column) const {
  const Column& of = columns_[static_cast<std::size_t>(column)];
  const auto* const measure = std::get_if<Measure>(&of);
  return measure != nullptr ? QString::fromUtf8(describe(*measure).key) : headingOf(of);
}

QVariant ItemTableModel::exportValue(int row, int column) const {
  const Column& of = columns_[static_cast<std::size_t>(column)];
  return isNumeric(of) ? QVariant(number(itemAt(row), of)) : QVariant(text(itemAt(row), of));
}

}  // namespace dubito
