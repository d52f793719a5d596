// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frozen_column.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {

FrozenColumn::FrozenColumn(QTableView& table) : QTableView(&table), table_(table) {
  setObjectName(QStringLiteral("frozenColumn"));
  setModel(table.model());
  const QItemSelectionModel* const own = selectionModel();
  setSelectionModel(table.selectionModel());
  delete own;
  setFrameShape(QFrame::NoFrame);
  setShowGrid(table.showGrid());
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setSelectionBehavior(table.selectionBehavior());
  setSelectionMode(table.selectionMode());
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setVerticalScrollMode(table.verticalScrollMode());
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // The table has the keys.
  setFocusPolicy(Qt::NoFocus);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setMouseTracking(true);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(table.verticalHeader()->defaultSectionSize());

  QHeaderView& header = *horizontalHeader();
  QHeaderView& other = *table.horizontalHeader();
  header.setSectionsClickable(true);
  header.setHighlightSections(false);
  header.setSortIndicatorShown(true);
  header.setSortIndicator(other.sortIndicatorSection(), other.sortIndicatorOrder());
  connect(&header, &QHeaderView::sortIndicatorChanged, &other, &QHeaderView::setSortIndicator);
  connect(&other, &QHeaderView::sortIndicatorChanged, &header, &QHeaderView::setSortIndicator);
  connect(&header, &QHeaderView::sectionResized, this, [this](int section, int, int width) {
    if (section == 0) {
      table_.setColumnWidth(0, width);
    }
  });
  connect(&other, &QHeaderView::sectionResized, this, [this](int section) {
    if (section == 0) {
      place();
    }
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, table.verticalScrollBar(),
          &QScrollBar::setValue);
  connect(table.verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(),
          &QScrollBar::setValue);
  connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, viewport(),
          qOverload<>(&QWidget::update));
  connect(this, &QAbstractItemView::pressed, &table, [this] {
    // A table without a current row would make the first one current: a tick chooses no row.
    if (table_.currentIndex().isValid()) {
      table_.setFocus(Qt::MouseFocusReason);
    }
  });
  connect(model(), &QAbstractItemModel::modelReset, this, &FrozenColumn::hideOtherColumns);
  hideOtherColumns();
}

void FrozenColumn::hideOtherColumns() {
  for (int column = 0; column < model()->columnCount(); ++column) {
    setColumnHidden(column, column != 0);
  }
}

void FrozenColumn::place() {
  const QHeaderView& header = *table_.horizontalHeader();
  const QRect view = table_.viewport()->geometry();
  const int width = std::min(table_.columnWidth(0), view.width());
  horizontalHeader()->setFixedHeight(header.height());
  setColumnWidth(0, table_.columnWidth(0));
  setGeometry(view.left(), header.y(), width, header.height() + view.height());
}

void FrozenColumn::uncover(const QModelIndex& index) {
  const int covered = width() - table_.visualRect(index).left();
  if (index.column() > 0 && covered > 0) {
    QScrollBar& bar = *table_.horizontalScrollBar();
    bar.setValue(bar.value() - covered);
  }
}

void FrozenColumn::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (table_.horizontalScrollBar()->value() > 0) {
    QPainter painter(viewport());
    painter.setPen(currentTheme().border);
    const int x = viewport()->width() - 1;
    painter.drawLine(x, 0, x, viewport()->height());
  }
}

}  // namespace dubito
