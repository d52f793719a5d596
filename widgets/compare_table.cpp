// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/compare_table_model.h"
#include "widgets/frozen_column.h"
#include "widgets/help_topic.h"
#include "widgets/theme.h"
#include "widgets/theme_follower.h"
#include "widgets/tick_menu.h"

namespace dubito {

CompareTable::CompareTable(QWidget* parent)
    : QTableView(parent),
      model_(new CompareTableModel(this)),
      rows_(new CompareTableRows(*model_, this)) {
  setObjectName(QStringLiteral("compareTable"));
  setAccessibleName(tr("runs and their metrics"));
  setModel(rows_);
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(6 * kGrid);
  horizontalHeader()->setSectionsClickable(true);
  horizontalHeader()->setHighlightSections(false);
  setSortingEnabled(true);
  // Unsorted, runs keep the order in which they were created.
  rows_->sort(-1);
  horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  names_ = new FrozenColumn(*this);
  connectRows();
  connect(horizontalHeader(), &QHeaderView::sectionResized, this,
          [this](int section, int /*before*/, int width) {
            if (section == 0 && !fitting_) {
              chosen_ = width;
            }
          });
  new ThemeFollower(*this, [this] { setValue(model_->value()); });
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [] { return tr("Compared runs"); },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &CompareTable::failed);
}

CompareTable::~CompareTable() {
  delete names_;  // before the model, whose end it would report to the table
  names_ = nullptr;
}

void CompareTable::connectRows() {
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (current.isValid()) {
              Q_EMIT rowChosen(sourceRow(current));
            }
          });
  connect(model_, &QAbstractItemModel::dataChanged, this,
          [this](const QModelIndex& first, const QModelIndex& /*last*/, const QList<int>& roles) {
            if (roles.contains(Qt::CheckStateRole)) {
              Q_EMIT drawnChanged(first.row());
            }
          });
  // Help shows the column under the mouse, or that of the last selected cell.
  setMouseTracking(true);
  const auto point = [this](const QModelIndex& index) {
    setHelpTopic(*this, index.column() < 1
                            ? QString()
                            : value().columns[static_cast<std::size_t>(index.column() - 1)].topic);
  };
  const auto activate = [this](const QModelIndex& index) { Q_EMIT rowActivated(sourceRow(index)); };
  for (QTableView* const view :
       {static_cast<QTableView*>(this), static_cast<QTableView*>(names_)}) {
    connect(view, &QAbstractItemView::entered, this, point);
    connect(view, &QTableView::doubleClicked, this, activate);
  }
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, point);
  connect(names_, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& position) { popUp(names_->viewport()->mapToGlobal(position)); });
}

int CompareTable::sourceRow(const QModelIndex& index) const {
  return rows_->mapToSource(index).row();
}

void CompareTable::setValue(CompareTableValue value) {
  fitting_ = true;
  model_->setValue(std::move(value));
  const int columns = model_->columnCount();
  for (int column = 1; column < columns; ++column) {
    setColumnHidden(column, false);  // a hidden column has no width
  }
  resizeColumnsToContents();
  // Keep a gap between the figures of adjacent columns.
  for (int column = 0; column < columns; ++column) {
    setColumnWidth(column, columnWidth(column) + 4 * kGrid);
  }
  names_width_ = columnWidth(0);
  for (int column = 1; column < columns; ++column) {
    setColumnHidden(column, this->value().columns[static_cast<std::size_t>(column - 1)].hidden);
  }
  fitting_ = false;
  fitNames();
  updateGeometry();
}

void CompareTable::fitNames() {
  constexpr int kLeastWidth = 50 * kGrid;
  const int room = viewport()->width();
  int others = 0;
  for (int column = 1; column < model_->columnCount(); ++column) {
    others += columnWidth(column);
  }
  // Names are elided only if the table has to scroll, and leave room for the other columns.
  const int share = std::clamp(kLeastWidth, room * 2 / 5, room * 3 / 5);
  const int least = std::min(names_width_, share);
  const int fitting = std::clamp(room - others, least, names_width_);
  fitting_ = true;
  setColumnWidth(0, chosen_ ? std::min(*chosen_, room * 4 / 5) : fitting);
  fitting_ = false;
}

void CompareTable::setDrawn(int row, bool drawn) {
  model_->setData(model_->index(row, 0), drawn ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void CompareTable::setColumnShown(int column, bool shown) {
  if (column + 1 >= model_->columnCount()) {
    return;  // chosen in a menu of an earlier value
  }
  model_->setColumnHidden(column, !shown);
  setColumnHidden(column + 1, !shown);
  fitNames();
  Q_EMIT columnShownChanged(column);
}

void CompareTable::setRowShown(int row, bool shown) {
  if (row >= model_->rowCount()) {
    return;
  }
  model_->setRowHidden(row, !shown);
  rows_->applyFilter();
  updateGeometry();
  Q_EMIT rowShownChanged(row);
}

void CompareTable::addChoices(QMenu& menu) {
  if (!value().is_legend) {
    return;
  }
  auto* const columns = new TickMenu(tr("Columns"), &menu);
  columns->setObjectName(QStringLiteral("columnsMenu"));
  for (std::size_t c = 0; c < value().columns.size(); ++c) {
    const CompareTableValue::Column& column = value().columns[c];
    columns->addTick(column.name, !column.hidden,
                     [this, column = static_cast<int>(c)](bool on) { setColumnShown(column, on); });
  }
  auto* const rows = new TickMenu(tr("Runs"), &menu);
  rows->setObjectName(QStringLiteral("rowsMenu"));
  for (std::size_t r = 0; r < value().rows.size(); ++r) {
    const CompareTableValue::Row& row = value().rows[r];
    rows->addTick(row.name, !row.hidden,
                  [this, row = static_cast<int>(r)](bool on) { setRowShown(row, on); });
  }
  menu.addMenu(columns);
  menu.addMenu(rows);
}

int CompareTable::heightOf(int rows) const {
  return horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() +
         horizontalScrollBar()->sizeHint().height();
}

QSize CompareTable::sizeHint() const {
  constexpr int kMinRows = 2;
  constexpr int kMaxRows = 6;
  const int rows = std::clamp(rows_->rowCount(), kMinRows, kMaxRows);
  return {QTableView::sizeHint().width(), heightOf(rows)};
}

QSize CompareTable::minimumSizeHint() const {
  QSize size = QTableView::minimumSizeHint();
  if (min_rows_ > 0) {
    size.setHeight(heightOf(std::clamp(rows_->rowCount(), 1, min_rows_)));
  }
  return size;
}

void CompareTable::setMinRows(int rows) {
  min_rows_ = rows;
  updateGeometry();
}

const CompareTableValue& CompareTable::value() const {
  return model_->value();
}

std::vector<int> CompareTable::order() const {
  std::vector<int> rows;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    rows.push_back(sourceRow(rows_->index(row, 0)));
  }
  return rows;
}

PlotTable CompareTable::table() const {
  PlotTable table;
  table.columns << rowHeading(value());
  const auto& rows = value().rows;
  std::vector<bool> has_std_dev;
  for (std::size_t c = 0; c < value().columns.size(); ++c) {
    const QString& name = value().columns[c].name;
    table.columns << name;
    if (value().columns[c].hidden) {
      table.hidden_columns << name;
    }
    has_std_dev.push_back(std::ranges::any_of(rows, [c](const CompareTableValue::Row& row) {
      return !std::isnan(row.cells[c].std_dev);
    }));
    if (has_std_dev.back()) {
      table.columns << tr("%1, standard deviation").arg(name);
      if (value().columns[c].hidden) {
        table.hidden_columns << table.columns.back();
      }
    }
  }
  std::vector<int> numbers = order();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].hidden) {
      numbers.push_back(static_cast<int>(r));
    }
  }
  for (const int number : numbers) {
    const CompareTableValue::Row& row = rows[static_cast<std::size_t>(number)];
    if (row.hidden) {
      table.hidden_rows.insert(table.rows.size());
    }
    std::vector<QVariant> cells = {row.name};
    QStringList texts = {row.name};
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const CompareTableValue::Cell& cell = row.cells[c];
      if (model_->isBest(cell, c)) {
        table.best.insert({table.rows.size(), static_cast<int>(cells.size())});
      }
      cells.emplace_back(cell.value);
      texts << cell.text;
      if (has_std_dev[c]) {
        cells.emplace_back(cell.std_dev);
        texts << shortText(cell.std_dev);
      }
    }
    table.rows.push_back(std::move(cells));
    table.texts.push_back(std::move(texts));
  }
  return table;
}

void CompareTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitNames();
}

void CompareTable::updateGeometries() {
  QTableView::updateGeometries();
  if (names_ != nullptr) {
    names_->place();
  }
}

void CompareTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
  const int sideways = horizontalScrollBar()->value();
  QTableView::scrollTo(index, hint);
  if (index.column() == 0) {
    horizontalScrollBar()->setValue(sideways);  // the names are always visible
  } else if (names_ != nullptr) {
    names_->uncover(index);
  }
}

void CompareTable::popUp(const QPoint& position) {
  exporter_->popUp(position, value().is_legend ? [this](QMenu& menu) { addChoices(menu); }
                                               : std::function<void(QMenu&)>());
}

void CompareTable::contextMenuEvent(QContextMenuEvent* event) {
  popUp(event->globalPos());
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
  if (currentIndex().isValid()) {
    const int row = sourceRow(currentIndex());
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
      Q_EMIT rowActivated(row);
      return;
    }
    if (event->key() == Qt::Key_Space && value().is_legend) {
      setDrawn(row, !value().rows[static_cast<std::size_t>(row)].drawn);
      return;
    }
  }
  QTableView::keyPressEvent(event);
}

}  // namespace dubito
