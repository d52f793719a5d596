// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/item_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "app/explore/images/item_table_model.h"
#include "app/words/words.h"
#include "widgets/theme.h"

namespace dubito {

ItemTable::ItemTable(Session& session, QWidget* parent)
    : QTableView(parent), session_(session), model_(new ItemTableModel(this)) {
  setObjectName(QStringLiteral("itemTable"));
  setAccessibleName(tr("items and their values"));
  setModel(model_);
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(6 * kGrid);
  QHeaderView& header = *horizontalHeader();
  header.setSectionsClickable(true);
  header.setHighlightSections(false);
  header.setSortIndicatorShown(true);
  connect(&header, &QHeaderView::sectionClicked, this, [this](int column) {
    session_.listing().setQuery(model_->sortedBy(column, session_.listing().query()));
    showOrder();  // the header has moved its arrow by itself
  });
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            const ItemList& items = model_->items();
            if (current.isValid() && !is_following_ && items == session_.listing().items()) {
              session_.listing().setPrimary((*items)[static_cast<std::size_t>(current.row())]);
            }
          });
  connect(this, &QTableView::doubleClicked, this, &ItemTable::itemActivated);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &ItemTable::showItems);
  connect(&session_.listing(), &ItemListing::queryChanged, this, &ItemTable::showOrder);
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &ItemTable::showPrimary);
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [this] { return title(); },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &ItemTable::failed);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, viewport(),
          qOverload<>(&QWidget::update));
}

void ItemTable::showItems() {
  // A reset creates the sections of all rows, so a hidden table waits until it is shown.
  if (!isVisible()) {
    if (model_->analysis()) {
      model_->setItems(nullptr, nullptr);  // the run may have been closed
    }
    return;
  }
  const bool new_columns = model_->setItems(session_.activeAnalysis(), session_.listing().items());
  if (new_columns) {
    fitColumns();
  }
  showOrder();
  showPrimary();
}

void ItemTable::showEvent(QShowEvent* event) {
  QTableView::showEvent(event);
  if (model_->analysis() != session_.activeAnalysis() ||
      model_->items() != session_.listing().items()) {
    showItems();
  } else {
    showPrimary();
  }
}

void ItemTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
  const int sideways = horizontalScrollBar()->value();
  QTableView::scrollTo(index, hint);
  horizontalScrollBar()->setValue(sideways);
}

void ItemTable::showPrimary() {
  if (!isVisible() || model_->items() != session_.listing().items()) {
    return;
  }
  const auto row = static_cast<int>(session_.listing().primaryPosition());
  is_following_ = true;
  if (row < 0 || row >= model_->rowCount()) {
    selectionModel()->clear();
  } else if (row != currentIndex().row()) {
    const int column = std::max(currentIndex().column(), 0);
    setCurrentIndex(model_->index(row, column));
  }
  is_following_ = false;
}

void ItemTable::showOrder() {
  const ItemQuery& query = session_.listing().query();
  horizontalHeader()->setSortIndicator(model_->sortedColumn(query),
                                       query.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void ItemTable::fitColumns() {
  constexpr int kSample = 100;
  constexpr int kPadding = 5 * kGrid;
  constexpr int kMaxWidth = 60 * kGrid;
  const int arrow = style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this);
  for (int column = 0; column < model_->columnCount(); ++column) {
    int width = arrow + horizontalHeader()->fontMetrics().horizontalAdvance(
                            model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < std::min(model_->rowCount(), kSample); ++row) {
      width = std::max(
          width, fontMetrics().horizontalAdvance(model_->index(row, column).data().toString()));
    }
    setColumnWidth(column, std::min(width + kPadding, kMaxWidth));
  }
}

std::pair<int, int> ItemTable::exportedRows() const {
  const int rows = model_->rowCount();
  if (rows <= kMaxExportedRows) {
    return {0, rows};
  }
  const int last = rowAt(viewport()->height() - 1);
  return {std::max(rowAt(0), 0), last < 0 ? rows : last + 1};
}

QString ItemTable::title() const {
  const auto [first, last] = exportedRows();
  return last - first == model_->rowCount()
             ? tr("Items")
             : tr("Items %1 to %2 of %3")
                   .arg(countText(first + 1), countText(last), countText(model_->rowCount()));
}

PlotTable ItemTable::table() const {
  PlotTable table;
  for (int column = 0; column < model_->columnCount(); ++column) {
    table.columns << model_->exportName(column);
  }
  const auto [first, last] = exportedRows();
  for (int row = first; row < last; ++row) {
    std::vector<QVariant> cells;
    QStringList texts;
    for (int column = 0; column < model_->columnCount(); ++column) {
      cells.push_back(model_->exportValue(row, column));
      texts << model_->index(row, column).data().toString();
    }
    table.rows.push_back(std::move(cells));
    table.texts.push_back(std::move(texts));
  }
  return table;
}

void ItemTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model_->items() && model_->rowCount() == 0) {
    QPainter painter(viewport());
    painter.setPen(currentTheme().muted);
    painter.setFont(uiFont(TypeSize::kBody));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, noItemsText());
  }
}

void ItemTable::contextMenuEvent(QContextMenuEvent* event) {
  if (model_->rowCount() > 0) {
    exporter_->popUp(event->globalPos());
  }
}

void ItemTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    exporter_->copyText(QStringLiteral("csv"));
    return;
  }
  const bool is_return = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (is_return && currentIndex().isValid()) {
    Q_EMIT itemActivated();
    return;
  }
  // Letters belong to the window; the view would search all rows for them.
  if (!event->text().isEmpty() && event->text().front().isPrint()) {
    event->ignore();
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace dubito
