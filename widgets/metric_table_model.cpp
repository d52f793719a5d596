// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_table_model.h"

#include <algorithm>

#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {

MetricTableModel::MetricTableModel(QObject* parent) : QAbstractTableModel(parent) {
  // data() returns theme fonts and colours.
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
    if (!lines_.empty()) {
      Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
  });
}

void MetricTableModel::setRows(std::vector<MetricTableRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  lines_.clear();
  value_columns_ = 1;
  QStringList groups;
  for (const MetricTableRow& row : rows_) {
    if (!groups.contains(row.group)) {
      groups << row.group;
    }
  }
  for (const QString& group : groups) {
    const auto heading = lines_.size();
    lines_.push_back({.heading = true, .name = group, .scores = {}, .cells = {}, .score_count = 1});
    QStringList scores;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const MetricTableRow& row = rows_[i];
      if (row.group != group) {
        continue;
      }
      if (!scores.contains(row.score)) {
        scores << row.score;
      }
      const auto column = static_cast<std::size_t>(scores.indexOf(row.score));
      const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(heading) + 1;
      auto line = std::find_if(first, lines_.end(), [&](const Line& candidate) {
        return candidate.name == row.name &&
               (candidate.cells.size() <= column || candidate.cells[column] < 0);
      });
      if (line == lines_.end()) {
        lines_.push_back(
            {.heading = false, .name = row.name, .scores = {}, .cells = {}, .score_count = 1});
        line = std::prev(lines_.end());
      }
      line->cells.resize(std::max(line->cells.size(), column + 1), -1);
      line->cells[column] = static_cast<int>(i);
    }
    lines_[heading].scores = scores;
    for (std::size_t i = heading; i < lines_.size(); ++i) {
      lines_[i].score_count = static_cast<int>(scores.size());
    }
    value_columns_ = std::max(value_columns_, static_cast<int>(scores.size()));
  }
  endResetModel();
}

bool MetricTableModel::setValues(std::vector<MetricTableRow>& rows) {
  const auto sameCell = [](const MetricTableRow& a, const MetricTableRow& b) {
    return a.group == b.group && a.name == b.name && a.score == b.score &&
           a.value_text.size() == b.value_text.size();
  };
  if (rows.empty() || !std::ranges::equal(rows_, rows, sameCell)) {
    return false;
  }
  rows_ = std::move(rows);
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  return true;
}

bool MetricTableModel::isHeading(int line) const {
  return line >= 0 && line < static_cast<int>(lines_.size()) &&
         lines_[static_cast<std::size_t>(line)].heading;
}

bool MetricTableModel::hasScores(int line) const {
  return isHeading(line) &&
         !lines_[static_cast<std::size_t>(line)].scores.join(QString()).isEmpty();
}

int MetricTableModel::firstValueColumn(int line) const {
  return 1 + value_columns_ - lines_[static_cast<std::size_t>(line)].score_count;
}

const MetricTableRow* MetricTableModel::metricAt(const QModelIndex& index) const {
  if (!index.isValid() || index.column() < firstValueColumn(index.row())) {
    return nullptr;
  }
  const Line& line = lines_[static_cast<std::size_t>(index.row())];
  const auto column = static_cast<std::size_t>(index.column() - firstValueColumn(index.row()));
  if (line.heading || column >= line.cells.size() || line.cells[column] < 0) {
    return nullptr;
  }
  return &rows_[static_cast<std::size_t>(line.cells[column])];
}

int MetricTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int MetricTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : value_columns_ + 1;
}

QVariant MetricTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const Line& line = lines_[static_cast<std::size_t>(index.row())];
  const bool is_name = index.column() == 0;
  switch (role) {
    case Qt::DisplayRole:
      if (is_name) {
        return line.name;
      }
      if (line.heading) {
        return line.scores.value(index.column() - firstValueColumn(index.row()));
      }
      if (const MetricTableRow* metric = metricAt(index)) {
        return metric->value_text;
      }
      return {};
    case Qt::ToolTipRole: {
      // Names show the explanation; values also show all digits.
      if (line.heading) {
        return {};
      }
      const MetricTableRow* metric =
          metricAt(is_name ? this->index(index.row(), firstValueColumn(index.row())) : index);
      if (metric == nullptr) {
        return {};
      }
      const QString full =
          is_name ? QString()
                  : QStringLiteral("%1 = %2\n").arg(metric->name, exactText(metric->value));
      return QString(full + metric->explanation).trimmed();
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(is_name ? Qt::AlignLeft | Qt::AlignVCenter
                                         : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
      return line.heading && is_name ? uiFont(TypeSize::kSmall, true) : uiFont(TypeSize::kSmall);
    case Qt::ForegroundRole:
      return (line.heading && !is_name) || (is_name && !line.heading) ? currentTheme().muted
                                                                      : currentTheme().text;
    default:
      return {};
  }
}

Qt::ItemFlags MetricTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) {
    return Qt::NoItemFlags;
  }
  if (isHeading(index.row())) {
    return Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
  }
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

}  // namespace dubito
