// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_classes.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <vector>

#include "app/review/reviewer.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::size_t kNumberKeys = 10;
constexpr int kKeyColumn = 0;
constexpr int kNameColumn = 1;
constexpr int kProbabilityColumn = 2;

std::int64_t idOf(const QTreeWidgetItem& item) {
  return item.data(kNameColumn, Qt::UserRole).toLongLong();
}

bool isDigit(const std::string& text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9';
}

/// The keys that choose classes: their own; for digits as classes the digit; else 1 to 9 and 0 in
/// the order of the list.
QStringList keysOf(const std::vector<const LabelClass*>& classes) {
  const bool are_digits = std::ranges::all_of(
      classes, [](const LabelClass* entry) { return isDigit(entry->name) || !entry->key.empty(); });
  QStringList keys;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const LabelClass& entry = *classes[i];
    if (!entry.key.empty()) {
      keys << QString::fromStdString(entry.key).toUpper();
    } else if (are_digits) {
      keys << QString::fromStdString(entry.name);
    } else {
      keys << (i < kNumberKeys ? QString::number((i + 1) % kNumberKeys) : QString());
    }
  }
  return keys;
}

}  // namespace

std::vector<std::pair<std::int64_t, QString>> classKeys(const std::vector<LabelClass>& classes) {
  std::vector<const LabelClass*> present;
  for (const LabelClass& entry : classes) {
    if (!entry.merged_into) {
      present.push_back(&entry);
    }
  }
  const QStringList keys = keysOf(present);
  std::vector<std::pair<std::int64_t, QString>> found;
  for (std::size_t i = 0; i < present.size(); ++i) {
    found.emplace_back(present[i]->id, keys[static_cast<int>(i)]);
  }
  return found;
}

ReviewClasses::ReviewClasses(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("reviewSearch"));
  search_->setPlaceholderText(tr("Search classes ( / )"));
  search_->setClearButtonEnabled(true);
  search_->setFocusPolicy(Qt::ClickFocus);
  search_->installEventFilter(this);
  classes_ = new QTreeWidget(this);
  classes_->setObjectName(QStringLiteral("reviewClasses"));
  classes_->setAccessibleName(tr("Classes"));
  classes_->setHeaderLabels({tr("Key"), tr("Class"), tr("Network")});
  classes_->setRootIsDecorated(false);
  classes_->setUniformRowHeights(true);
  classes_->setFocusPolicy(Qt::NoFocus);
  classes_->header()->setStretchLastSection(false);
  classes_->header()->setSectionResizeMode(kKeyColumn, QHeaderView::ResizeToContents);
  classes_->header()->setSectionResizeMode(kNameColumn, QHeaderView::Stretch);
  classes_->header()->setSectionResizeMode(kProbabilityColumn, QHeaderView::ResizeToContents);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(search_);
  layout->addWidget(classes_, 1);
  connect(search_, &QLineEdit::textChanged, this, &ReviewClasses::filter);
  connect(search_, &QLineEdit::returnPressed, this, &ReviewClasses::takeSearch);
  connect(classes_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    reviewer_.choose(idOf(*item));
    Q_EMIT finished();
  });
}

void ReviewClasses::showItem() {
  const auto row = reviewer_.row();
  const auto& classes = reviewer_.file().classes();
  const bool hidden = reviewer_.hidesSuggestion();
  const AnalysisPtr& analysis = reviewer_.analysis();
  std::vector<const LabelClass*> shown;
  for (const LabelClass& entry : classes) {
    if (!entry.merged_into) {
      shown.push_back(&entry);
    }
  }
  const PresentLabel* const label = reviewer_.label();
  while (classes_->topLevelItemCount() > static_cast<int>(shown.size())) {
    delete classes_->takeTopLevelItem(classes_->topLevelItemCount() - 1);
  }
  while (classes_->topLevelItemCount() < static_cast<int>(shown.size())) {
    auto* const item = new QTreeWidgetItem(classes_);
    item->setTextAlignment(kProbabilityColumn, Qt::AlignRight | Qt::AlignVCenter);
  }
  const QStringList keys = keysOf(shown);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    QTreeWidgetItem& item = *classes_->topLevelItem(static_cast<int>(i));
    const LabelClass& entry = *shown[i];
    item.setText(kKeyColumn, keys[static_cast<int>(i)]);
    item.setText(kNameColumn, QString::fromStdString(entry.name));
    item.setData(kNameColumn, Qt::UserRole, QVariant::fromValue<qint64>(entry.id));
    QString prob;
    if (row && !hidden && entry.id < analysis->in().run->classCount()) {
      prob = tr("%1 %").arg(100.0 * analysis->in().run->prob(*row, entry.id), 0, 'f', 1);
    }
    item.setText(kProbabilityColumn, prob);
    const bool chosen = label != nullptr && label->class_id == entry.id;
    const bool suggested = row && !hidden && reviewer_.suggestion() == entry.id;
    QFont font = classes_->font();
    font.setBold(chosen || suggested);
    for (const int column : {kKeyColumn, kNameColumn, kProbabilityColumn}) {
      item.setFont(column, font);
    }
    item.setSelected(chosen);
  }
}

std::optional<std::int64_t> ReviewClasses::classOfKey(const QString& key) const {
  if (key.isEmpty()) {
    return std::nullopt;
  }
  const QList<QTreeWidgetItem*> found =
      classes_->findItems(key.toUpper(), Qt::MatchExactly, kKeyColumn);
  return found.isEmpty() ? std::nullopt : std::optional(idOf(*found.front()));
}

void ReviewClasses::startSearch() {
  search_->setFocus();
}

void ReviewClasses::filter(const QString& text) {
  for (int i = 0; i < classes_->topLevelItemCount(); ++i) {
    QTreeWidgetItem& item = *classes_->topLevelItem(i);
    item.setHidden(!item.text(kNameColumn).contains(text, Qt::CaseInsensitive));
  }
}

void ReviewClasses::takeSearch() {
  const QString text = search_->text().trimmed();
  if (text.isEmpty()) {
    return;
  }
  for (int i = 0; i < classes_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem& item = *classes_->topLevelItem(i);
    if (!item.isHidden()) {
      const std::int64_t id = idOf(item);
      endSearch();
      reviewer_.choose(id);
      return;
    }
  }
  reviewer_.file().addClass(text);
  endSearch();
}

void ReviewClasses::endSearch() {
  search_->clear();
  Q_EMIT finished();
}

bool ReviewClasses::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    endSearch();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace dubito
