// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/sort_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>

#include "app/explore/images/chooser.h"
#include "app/words/words.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Data of the entries: numbers of measures, names of attributes, and columns from this number,
// which is above all measures.
constexpr int kFirstColumn = 1000;

int dataOf(ItemColumn column) {
  return kFirstColumn + static_cast<int>(column);
}

QVariant dataOf(const ItemQuery& query) {
  if (query.sort_column) {
    return dataOf(*query.sort_column);
  }
  return query.sort_attribute ? QVariant(QString::fromStdString(*query.sort_attribute))
                              : QVariant(static_cast<int>(query.sort));
}

}  // namespace

SortBar::SortBar(QWidget* parent) : QWidget(parent) {
  auto* const line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2 * kGrid);
  sort_ = addChooser(*line, tr("Sort by"), "sortChooser", this);
  direction_ = new QPushButton(this);
  direction_->setObjectName(QStringLiteral("sortDirection"));
  direction_->setCheckable(true);
  direction_->setFixedWidth(8 * kGrid);
  direction_->setStyleSheet(QStringLiteral("padding: 4px 0;"));
  line->addWidget(direction_);
  const auto edit = [this] {
    if (!filling_) {
      Q_EMIT edited();
    }
  };
  connect(sort_, &QComboBox::currentIndexChanged, this, edit);
  connect(sort_, &QComboBox::activated, this, &SortBar::chosen);
  connect(direction_, &QPushButton::toggled, this, edit);
}

void SortBar::setChoices(const AnalysisPtr& analysis,
                         const std::vector<AttributeSummary>& attributes) {
  filling_ = true;
  sort_->clear();
  for (const Measure measure : allMeasures()) {
    if (analysis && analysis->in().has(measure)) {
      sort_->addItem(measureName(measure), static_cast<int>(measure));
      sort_->setItemData(sort_->count() - 1, measureFormula(measure), Qt::ToolTipRole);
    }
  }
  for (const ItemColumn column :
       {ItemColumn::kLoss, ItemColumn::kItem, ItemColumn::kLabel, ItemColumn::kPredicted}) {
    if (analysis && (column != ItemColumn::kLoss || !analysis->losses.empty())) {
      sort_->addItem(columnName(column), dataOf(column));
    }
  }
  for (const AttributeSummary& attribute : attributes) {
    const QString name = QString::fromStdString(attribute.name);
    sort_->addItem(name, name);
  }
  fitToTexts(*sort_);
  filling_ = false;
}

void SortBar::setOrder(const ItemQuery& query) {
  filling_ = true;
  sort_->setCurrentIndex(sort_->findData(dataOf(query)));
  direction_->setChecked(query.descending);
  direction_->setText(query.descending ? QStringLiteral("↓") : QStringLiteral("↑"));
  direction_->setToolTip(query.descending ? tr("highest first; click to reverse")
                                          : tr("lowest first; click to reverse"));
  direction_->setAccessibleName(direction_->toolTip());
  filling_ = false;
}

ItemQuery SortBar::ordered(ItemQuery query) const {
  const QVariant sort = sort_->currentData();
  query.sort_attribute.reset();
  query.sort_column.reset();
  if (sort.userType() == QMetaType::QString) {
    query.sort_attribute = sort.toString().toStdString();
  } else if (sort.toInt() >= kFirstColumn) {
    query.sort_column = static_cast<ItemColumn>(sort.toInt() - kFirstColumn);
  } else {
    query.sort = static_cast<Measure>(sort.toInt());
  }
  query.descending = direction_->isChecked();
  return query;
}

}  // namespace dubito
