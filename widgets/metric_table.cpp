// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/metric_table_model.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A thin rule above every group but the first.
class GroupDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, withoutFocus(option), index);
    const auto* model = qobject_cast<const MetricTableModel*>(index.model());
    if (model != nullptr && index.row() > 0 && model->isHeading(index.row())) {
      painter->setPen(currentTheme().grid);
      painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
  }

 private:
  /// The row is what is chosen; a frame around one cell would say more.
  static QStyleOptionViewItem withoutFocus(QStyleOptionViewItem option) {
    option.state &= ~QStyle::State_HasFocus;
    return option;
  }
};

}  // namespace

MetricTable::MetricTable(QWidget* parent) : QTableView(parent), model_(new MetricTableModel(this)) {
  setObjectName(QStringLiteral("metricTable"));
  setAccessibleName(tr("metrics"));
  setModel(model_);
  setItemDelegate(new GroupDelegate(this));
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  horizontalHeader()->hide();
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(5 * kGrid);
  verticalHeader()->setDefaultSectionSize(6 * kGrid);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MetricTable::setRows(std::vector<MetricTableRow> rows) {
  model_->setRows(std::move(rows));
  layOut();
}

const std::vector<MetricTableRow>& MetricTable::rows() const {
  return model_->rows();
}

void MetricTable::layOut() {
  // Figures of one width in every column, as far as the names leave room for it.
  const int columns = model_->columnCount() - 1;
  int widest = 0;
  for (int column = 1; column <= columns; ++column) {
    widest = std::max(widest, sizeHintForColumn(column) + 2 * kGrid);
  }
  const int room = viewport()->width() - sizeHintForColumn(0) - 2 * kGrid;
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int column = 1; column <= columns; ++column) {
    setColumnWidth(column, std::clamp(room / columns, sizeHintForColumn(column),
                                      std::max(widest, sizeHintForColumn(column))));
  }
  for (int line = 0; line < model_->rowCount(); ++line) {
    setRowHeight(line, model_->isHeading(line) && line > 0 ? 8 * kGrid : 6 * kGrid);
  }
}

void MetricTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  layOut();
}

PlotTable MetricTable::table() const {
  PlotTable table;
  table.columns = {"group", "metric", "score", "value"};
  for (const MetricTableRow& row : rows()) {
    table.rows.push_back({row.group, row.name, row.score, row.value});
  }
  return table;
}

void MetricTable::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Copy as CSV"), this, [this] { QApplication::clipboard()->setText(csv()); });
  menu.addAction(tr("Copy as Markdown"), this,
                 [this] { QApplication::clipboard()->setText(markdown()); });
  menu.exec(event->globalPos());
}

void MetricTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    QApplication::clipboard()->setText(csv());
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace dubito
