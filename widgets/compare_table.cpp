// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare_table.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/help_topic.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Sort key: smaller values come first.
constexpr int kSortRole = Qt::UserRole;

/// A sample of the run's curve style, with a disc if the run is shown on the other pages.
QPixmap curveMark(int run, int dash, bool shown) {
  constexpr int kWidth = 7 * kGrid;
  constexpr int kHeight = 3 * kGrid;
  constexpr double kMiddle = kHeight / 2.0;
  const qreal ratio = qApp->devicePixelRatio();
  QPixmap mark(QSize(kWidth, kHeight) * ratio);
  mark.setDevicePixelRatio(ratio);
  mark.fill(Qt::transparent);
  QPainter painter(&mark);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor color = currentTheme().runColor(run);
  painter.setPen(dashPen(color, dash, 2.0));
  painter.drawLine(QPointF(0.0, kMiddle), QPointF(kWidth, kMiddle));
  if (shown) {
    constexpr double kRadius = 4.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(kWidth / 2.0, kMiddle), kRadius, kRadius);
  }
  return mark;
}

QString rowHeading(const CompareTableValue& value) {
  return value.row_heading.isEmpty() ? CompareTable::tr("run") : value.row_heading;
}

}  // namespace

/// Column 0 holds the names.
class CompareTableModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setValue(CompareTableValue value) {
    beginResetModel();
    value_ = std::move(value);
    best_.assign(value_.columns.size(), {});
    for (std::size_t column = 0; column < value_.columns.size(); ++column) {
      const std::optional<bool>& high = value_.columns[column].high_is_good;
      for (const CompareTableValue::Row& row : value_.rows) {
        const CompareTableValue::Cell& cell = row.cells[column];
        if (!high || std::isnan(cell.value)) {
          continue;
        }
        Best& best = best_[column].try_emplace(cell.items, Best{cell.value, 0}).first->second;
        best.value = *high ? std::max(best.value, cell.value) : std::min(best.value, cell.value);
        ++best.runs;
      }
    }
    endResetModel();
  }
  [[nodiscard]] const CompareTableValue& value() const { return value_; }
  /// Whether a cell of `column` is the best of several over the same items.
  [[nodiscard]] bool isBest(const CompareTableValue::Cell& cell, std::size_t column) const {
    const auto found = best_[column].find(cell.items);
    return found != best_[column].end() && found->second.runs > 1 &&
           cell.value == found->second.value;
  }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(value_.rows.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(value_.columns.size()) + 1;
  }
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override {
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
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) {
      return {};
    }
    const CompareTableValue::Row& row = value_.rows[static_cast<std::size_t>(index.row())];
    return index.column() == 0 ? nameData(row, role)
                               : cellData(row, static_cast<std::size_t>(index.column() - 1), role);
  }

 private:
  static QVariant nameData(const CompareTableValue::Row& row, int role) {
    switch (role) {
      case Qt::DisplayRole:
      case kSortRole:
        return row.name;
      case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2").arg(row.name, row.detail);
      case Qt::ForegroundRole:
        return row.other_items ? QVariant(currentTheme().muted) : QVariant();
      case Qt::DecorationRole:
        return row.run < 0 ? QVariant() : curveMark(row.run, row.dash, row.shown);
      default:
        return {};
    }
  }
  [[nodiscard]] QVariant cellData(const CompareTableValue::Row& row, std::size_t column,
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

  CompareTableValue value_;
  struct Best {
    double value = 0.0;
    int runs = 0;  ///< runs that have a value
  };
  /// Per column, then per evaluated item set.
  std::vector<std::map<int, Best>> best_;
};

CompareTable::CompareTable(QWidget* parent)
    : QTableView(parent), model_(new CompareTableModel(this)) {
  setObjectName(QStringLiteral("compareTable"));
  setAccessibleName(tr("runs and their metrics"));
  auto* const sorted = new QSortFilterProxyModel(this);
  sorted->setSourceModel(model_);
  sorted->setSortRole(kSortRole);
  setModel(sorted);
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(6 * kGrid);
  horizontalHeader()->setSectionsClickable(true);
  horizontalHeader()->setHighlightSections(false);
  setSortingEnabled(true);
  // Unsorted, runs keep the order in which they were created.
  sorted->sort(-1);
  horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  const auto sourceRow = [sorted](const QModelIndex& index) {
    return sorted->mapToSource(index).row();
  };
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, sourceRow](const QModelIndex& current) {
            if (current.isValid()) {
              Q_EMIT rowChosen(sourceRow(current));
            }
          });
  // Help shows the column under the mouse, or that of the last selected cell.
  setMouseTracking(true);
  const auto point = [this](const QModelIndex& index) {
    setHelpTopic(*this, index.column() < 1
                            ? QString()
                            : value().columns[static_cast<std::size_t>(index.column() - 1)].topic);
  };
  connect(this, &QAbstractItemView::entered, this, point);
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, point);
  connect(this, &QTableView::doubleClicked, this,
          [this, sourceRow](const QModelIndex& index) { Q_EMIT rowActivated(sourceRow(index)); });
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this,
          [this] { setValue(model_->value()); });
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [] { return tr("Compared runs"); },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &CompareTable::failed);
}

void CompareTable::setValue(CompareTableValue value) {
  model_->setValue(std::move(value));
  resizeColumnsToContents();
  // Keep a gap between the figures of adjacent columns.
  for (int column = 0; column < model_->columnCount(); ++column) {
    setColumnWidth(column, columnWidth(column) + 4 * kGrid);
  }
  updateGeometry();
}

QSize CompareTable::sizeHint() const {
  constexpr int kMinRows = 2;
  constexpr int kMaxRows = 6;
  const int rows = std::clamp(model_->rowCount(), kMinRows, kMaxRows);
  return {QTableView::sizeHint().width(), horizontalHeader()->sizeHint().height() +
                                              rows * verticalHeader()->defaultSectionSize() +
                                              horizontalScrollBar()->sizeHint().height()};
}

const CompareTableValue& CompareTable::value() const {
  return model_->value();
}

std::vector<int> CompareTable::order() const {
  std::vector<int> rows;
  const auto* const sorted = static_cast<const QSortFilterProxyModel*>(model());
  for (int row = 0; row < sorted->rowCount(); ++row) {
    rows.push_back(sorted->mapToSource(sorted->index(row, 0)).row());
  }
  return rows;
}

PlotTable CompareTable::table() const {
  PlotTable table;
  table.columns << rowHeading(value());
  for (const CompareTableValue::Column& column : value().columns) {
    table.columns << column.name;
  }
  for (const int number : order()) {
    const CompareTableValue::Row& row = value().rows[static_cast<std::size_t>(number)];
    std::vector<QVariant> cells = {row.name};
    QStringList texts = {row.name};
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      const CompareTableValue::Cell& cell = row.cells[column];
      if (model_->isBest(cell, column)) {
        table.best.insert({table.rows.size(), static_cast<int>(cells.size())});
      }
      cells.emplace_back(cell.value);
      texts << cell.text;
    }
    table.rows.push_back(std::move(cells));
    table.texts.push_back(std::move(texts));
  }
  return table;
}

void CompareTable::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos());
}

void CompareTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    exporter_->copyText(QStringLiteral("csv"));
    return;
  }
  const bool is_letter = event->key() >= Qt::Key_A && event->key() <= Qt::Key_Z &&
                         event->modifiers() == Qt::NoModifier;
  if (is_letter) {
    event->ignore();  // left to the window
    return;
  }
  const bool activates = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (activates && currentIndex().isValid()) {
    const auto* const sorted = static_cast<const QSortFilterProxyModel*>(model());
    Q_EMIT rowActivated(sorted->mapToSource(currentIndex()).row());
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace dubito
