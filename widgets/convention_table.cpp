// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/convention_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>

#include "widgets/theme.h"
#include "widgets/theme_follower.h"

namespace dubito {

ConventionTable::ConventionTable(QWidget* parent) : QTreeWidget(parent) {
  setObjectName(QStringLiteral("conventionTable"));
  setAccessibleName(tr("metrics under the conventions of other tools"));
  setColumnCount(2);
  setHeaderHidden(true);
  setFrameShape(QFrame::NoFrame);
  setRootIsDecorated(false);
  setIndentation(2 * kGrid);
  setItemsExpandable(false);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [] { return tr("Conventions"); },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &ConventionTable::failed);
  new ThemeFollower(*this, [this] { fill(); });
}

void ConventionTable::setRows(std::vector<ConventionTableRow> rows) {
  rows_ = std::move(rows);
  fill();
}

void ConventionTable::fill() {
  clear();
  const Theme& theme = currentTheme();
  QTreeWidgetItem* group = nullptr;
  for (const ConventionTableRow& row : rows_) {
    if (group == nullptr || group->text(0) != row.group) {
      group = new QTreeWidgetItem(this, {row.group});
      group->setFirstColumnSpanned(true);
      group->setFlags(Qt::ItemIsEnabled);
      group->setFont(0, uiFont(TypeSize::kSmall, true));
      group->setForeground(0, theme.text);
      group->setExpanded(true);
    }
    // Two lines per convention: what it is, and who uses it.
    auto* const line = new QTreeWidgetItem(group, {row.name + u'\n' + row.used_by, row.value_text});
    line->setTextAlignment(1, Qt::AlignRight | Qt::AlignTop);
    const QString number = exactText(row.value);
    const QString tooltip = QStringLiteral("%1 = %2\n%3\n%4")
                                .arg(row.name, number.isEmpty() ? tr("not defined") : number,
                                     row.explanation, row.used_by);
    for (int column = 0; column < columnCount(); ++column) {
      line->setToolTip(column, tooltip);
      line->setFont(column, uiFont(TypeSize::kSmall));
      line->setForeground(column, column == 1 ? theme.text : theme.muted);
    }
  }
  expandAll();
}

PlotTable ConventionTable::table() const {
  PlotTable table;
  table.columns = {"metric", "convention", "value", "default of"};
  for (const ConventionTableRow& row : rows_) {
    table.rows.push_back({row.group, row.name, row.value, row.used_by});
    table.texts.push_back({row.group, row.name, row.value_text, row.used_by});
  }
  return table;
}

void ConventionTable::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos());
}

void ConventionTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    exporter_->copyText(QStringLiteral("csv"));
    return;
  }
  const bool is_letter = event->key() >= Qt::Key_A && event->key() <= Qt::Key_Z &&
                         event->modifiers() == Qt::NoModifier;
  const bool is_sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  if (is_letter || is_sideways) {
    event->ignore();  // left to the window, which steps through the items
    return;
  }
  QTreeWidget::keyPressEvent(event);
}

}  // namespace dubito
