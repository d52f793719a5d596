// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare_table_model.h"

#include <QApplication>
#include <QPixmap>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/compare_table.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A sample of the run's curve style, with a disc if the run is shown on the other pages.
QPixmap curveMark(const CompareTableValue::Row& row) {
  constexpr int kWidth = 9 * kGrid;
  constexpr int kHeight = 3 * kGrid;
  constexpr double kMiddle = kHeight / 2.0;
  constexpr double kMarkerSize = 7.0;
  const qreal ratio = qApp->devicePixelRatio();
  QPixmap mark(QSize(kWidth, kHeight) * ratio);
  mark.setDevicePixelRatio(ratio);
  mark.fill(Qt::transparent);
  QCPPainter painter(&mark);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor color = currentTheme().runColor(row.run);
  const QPen line = dashPen(color, row.dash, 2.0);
  painter.setPen(line);
  painter.drawLine(QPointF(0.0, kMiddle), QPointF(kWidth, kMiddle));
  if (row.marker != 0) {
    const QCPScatterStyle style = runMarker(color, row.marker, kMarkerSize);
    style.applyTo(&painter, line);
    for (const double x : {kMarkerSize / 2.0, kWidth - kMarkerSize / 2.0}) {
      style.drawShape(&painter, QPointF(x, kMiddle));
    }
  }
  if (row.shown) {
    constexpr double kRadius = 4.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(kWidth / 2.0, kMiddle), kRadius, kRadius);
  }
  return mark;
}

}  // namespace

QString rowHeading(const CompareTableValue& value) {
  return value.row_heading.isEmpty() ? CompareTable::tr("run") : value.row_heading;
}

void CompareTableModel::setValue(CompareTableValue value) {
  beginResetModel();
  value_ = std::move(value);
  findBest();
  endResetModel();
}

void CompareTableModel::findBest() {
  best_.assign(value_.columns.size(), {});
  for (std::size_t column = 0; column < value_.columns.size(); ++column) {
    const std::optional<bool>& high = value_.columns[column].high_is_good;
    for (const CompareTableValue::Row& row : value_.rows) {
      const CompareTableValue::Cell& cell = row.cells[column];
      if (!high || row.hidden || std::isnan(cell.value)) {
        continue;
      }
      Best& best = best_[column].try_emplace(cell.items, Best{cell.value, 0}).first->second;
      best.value = *high ? std::max(best.value, cell.value) : std::min(best.value, cell.value);
      ++best.runs;
    }
  }
}

void CompareTableModel::setColumnHidden(int column, bool hidden) {
  value_.columns[static_cast<std::size_t>(column)].hidden = hidden;
}

void CompareTableModel::setRowHidden(int row, bool hidden) {
  value_.rows[static_cast<std::size_t>(row)].hidden = hidden;
  findBest();
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int CompareTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(value_.rows.size());
}

int CompareTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(value_.columns.size()) + 1;
}

QVariant CompareTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section > static_cast<int>(value_.columns.size())) {
    return {};
  }
  if (section == 0) {
    return role == Qt::DisplayRole         ? QVariant(rowHeading(value_))
           : role == Qt::TextAlignmentRole ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                           : QVariant();
  }
  const CompareTableValue::Column& column = value_.columns[static_cast<std::size_t>(section - 1)];
  switch (role) {
    case Qt::DisplayRole:
      // Wrap long names before the parenthesis.
      return QString(column.name).replace(QStringLiteral(" ("), QStringLiteral("\n("));
    case Qt::ToolTipRole:
      return !column.high_is_good
                 ? column.explanation
                 : CompareTable::tr("%1; %2 is better")
                       .arg(column.explanation, *column.high_is_good ? CompareTable::tr("higher")
                                                                     : CompareTable::tr("lower"));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

Qt::ItemFlags CompareTableModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  return value_.is_legend && index.column() == 0 ? usual | Qt::ItemIsUserCheckable : usual;
}

QVariant CompareTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const CompareTableValue::Row& row = value_.rows[static_cast<std::size_t>(index.row())];
  return index.column() == 0 ? nameData(row, role)
                             : cellData(row, static_cast<std::size_t>(index.column() - 1), role);
}

bool CompareTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != 0 || role != Qt::CheckStateRole || !value_.is_legend) {
    return false;
  }
  value_.rows[static_cast<std::size_t>(index.row())].drawn =
      static_cast<Qt::CheckState>(value.toInt()) == Qt::Checked;
  Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
  return true;
}

QVariant CompareTableModel::nameData(const CompareTableValue::Row& row, int role) const {
  switch (role) {
    case Qt::DisplayRole:
    case kSortRole:
      return row.name;
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2").arg(row.name, row.detail);
    case Qt::ForegroundRole:
      return row.other_items ? QVariant(currentTheme().muted) : QVariant();
    case Qt::DecorationRole:
      return row.run < 0 ? QVariant() : curveMark(row);
    case Qt::CheckStateRole:
      return value_.is_legend ? QVariant(row.drawn ? Qt::Checked : Qt::Unchecked) : QVariant();
    default:
      return {};
  }
}

bool CompareTableModel::isBest(const CompareTableValue::Cell& cell, std::size_t column) const {
  const auto found = best_[column].find(cell.items);
  return found != best_[column].end() && found->second.runs > 1 &&
         cell.value == found->second.value;
}

QVariant CompareTableModel::cellData(const CompareTableValue::Row& row, std::size_t column,
                                     int role) const {
  const CompareTableValue::Cell& cell = row.cells[column];
  const bool best = isBest(cell, column);
  switch (role) {
    case Qt::DisplayRole:
      return best ? QStringLiteral("• %1").arg(cell.text) : cell.text;
    case Qt::ToolTipRole:
      return row.other_items && !cell.tooltip.isEmpty()
                 ? CompareTable::tr(
                       "%1\nevaluated on different items from the run shown; not comparable")
                       .arg(cell.tooltip)
                 : cell.tooltip;
    case Qt::ForegroundRole:
      return cell.is_warning   ? QVariant(currentTheme().misclassified)
             : row.other_items ? QVariant(currentTheme().muted)
                               : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
      return uiFont(TypeSize::kBody, best);
    case kSortRole: {
      // Best first in ascending order; missing values come last.
      constexpr double kLast = std::numeric_limits<double>::infinity();
      const bool high = value_.columns[column].high_is_good.value_or(true);
      return std::isnan(cell.value) ? kLast : high ? -cell.value : cell.value;
    }
    default:
      return {};
  }
}

CompareTableRows::CompareTableRows(CompareTableModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(&model);
  setSortRole(CompareTableModel::kSortRole);
}

bool CompareTableRows::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  return !model_.value().rows[static_cast<std::size_t>(row)].hidden;
}

}  // namespace dubito
