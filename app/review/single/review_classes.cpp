// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_classes.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <vector>

#include "app/review/labels/class_keys.h"
#include "app/review/reviewer.h"
#include "app/review/single/review_examples.h"
#include "app/review/single/review_swatch.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kKeyColumn = 0;
constexpr int kNameColumn = 1;
constexpr int kProbabilityColumn = 2;

std::int64_t idOf(const QTreeWidgetItem& item) {
  return item.data(kNameColumn, Qt::UserRole).toLongLong();
}

/// The classes in the order of the list; those that the network does not know come last.
std::vector<const LabelClass*> inOrder(const std::vector<LabelClass>& classes, bool by_probability,
                                       const std::unordered_map<std::int64_t, double>& probs) {
  std::vector<const LabelClass*> shown;
  for (const LabelClass& entry : classes) {
    if (!entry.merged_into) {
      shown.push_back(&entry);
    }
  }
  if (by_probability) {
    std::ranges::stable_sort(shown, std::ranges::greater(), [&probs](const LabelClass* entry) {
      const auto found = probs.find(entry->id);
      return found == probs.end() ? -1.0 : found->second;
    });
  }
  return shown;
}

}  // namespace

ReviewClasses::ReviewClasses(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("reviewSearch"));
  search_->setClearButtonEnabled(true);
  search_->setFocusPolicy(Qt::ClickFocus);
  search_->installEventFilter(this);
  question_ = new WrappedLabel(this);
  question_->setObjectName(QStringLiteral("reviewNewClass"));
  question_->hide();
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
  classes_->setContextMenuPolicy(Qt::CustomContextMenu);
  guideline_ = makeMutedLabel(QStringLiteral("reviewGuideline"), this);
  guideline_->hide();
  examples_ = new ReviewExamples(reviewer_, this);
  order_ = new QComboBox(this);
  order_->setObjectName(QStringLiteral("reviewClassOrder"));
  order_->setAccessibleName(tr("Order of the classes"));
  order_->setToolTip(
      tr("While the suggestion is hidden, the order is always fixed. Keys stay with their class."));
  order_->addItem(tr("Likeliest first"), true);
  order_->addItem(tr("Fixed order"), false);
  order_->setFocusPolicy(Qt::TabFocus);
  auto* const edit = new QPushButton(tr("Edit classes…"), this);
  edit->setObjectName(QStringLiteral("reviewEditClasses"));
  edit->setToolTip(tr("Names, keys and colours of the classes; merge and add classes"));
  edit->setFocusPolicy(Qt::TabFocus);
  auto* const below = new QHBoxLayout;
  below->setSpacing(2 * kGrid);
  below->addWidget(order_);
  below->addStretch(1);
  below->addWidget(edit);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(search_);
  layout->addWidget(question_);
  layout->addWidget(classes_, 1);
  layout->addWidget(guideline_);
  layout->addWidget(examples_);
  layout->addLayout(below);
  connect(order_, &QComboBox::activated, this, [this] {
    reviewer_.choices().setLikeliestFirst(order_->currentData().toBool());
    Q_EMIT finished();
  });
  connect(edit, &QPushButton::clicked, this, [this] { Q_EMIT editRequested({}); });
  connect(classes_, &QTreeWidget::customContextMenuRequested, this, &ReviewClasses::showClassMenu);
  connect(search_, &QLineEdit::textChanged, this, &ReviewClasses::filter);
  classes_->setMouseTracking(true);
  connect(classes_, &QTreeWidget::itemEntered, this,
          [this](const QTreeWidgetItem* item) { showGuideline(idOf(*item)); });
  connect(&reviewer_.file(), &LabelFile::remarked, this, &ReviewClasses::showItem);
  connect(classes_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    reviewer_.choose(idOf(*item));
    Q_EMIT finished();
  });
  showKeys();
}

void ReviewClasses::showKeys() {
  search_->setPlaceholderText(
      reviewer_.keys().withKey(tr("Search classes"), ReviewCommand::kSearch));
}

void ReviewClasses::showClassMenu(const QPoint& position) {
  const QTreeWidgetItem* const item = classes_->itemAt(position);
  if (item == nullptr) {
    return;
  }
  QMenu menu(this);
  const QString name = item->text(kNameColumn);
  if (const auto row = reviewer_.row()) {
    const std::int64_t shown = reviewer_.analysis()->in().run->ids.data()[*row];
    const std::vector<std::int64_t> examples = reviewer_.file().examplesOf(idOf(*item));
    const bool is_example = std::ranges::find(examples, shown) != examples.end();
    menu.addAction(is_example ? tr("This image is no example of %1").arg(name)
                              : tr("Make this image an example of %1").arg(name),
                   this, [this, shown, is_example, id = idOf(*item)] {
                     reviewer_.file().setExample(shown,
                                                 is_example ? std::nullopt : std::optional(id));
                   });
  }
  menu.addAction(tr("Edit %1…").arg(item->text(kNameColumn)), this,
                 [this, id = idOf(*item)] { Q_EMIT editRequested(id); });
  menu.exec(classes_->viewport()->mapToGlobal(position));
}

void ReviewClasses::showItem() {
  const auto row = reviewer_.row();
  const auto& classes = reviewer_.file().classes();
  const bool hidden = reviewer_.hidesSuggestion();
  const auto probs = reviewer_.classProbs();
  const bool by_probability = reviewer_.choices().likeliestFirst() && !hidden;
  const std::vector<const LabelClass*> shown = inOrder(classes, by_probability, probs);
  const auto keys = classKeys(classes, reviewer_.keys());
  order_->setCurrentIndex(order_->findData(reviewer_.choices().likeliestFirst()));
  classes_->headerItem()->setText(kProbabilityColumn,
                                  reviewer_.suggestsLabels() ? tr("Score") : tr("Network"));
  const PresentLabel* const label = reviewer_.label();
  while (classes_->topLevelItemCount() > static_cast<int>(shown.size())) {
    delete classes_->takeTopLevelItem(classes_->topLevelItemCount() - 1);
  }
  while (classes_->topLevelItemCount() < static_cast<int>(shown.size())) {
    auto* const item = new QTreeWidgetItem(classes_);
    item->setTextAlignment(kProbabilityColumn, Qt::AlignRight | Qt::AlignVCenter);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    QTreeWidgetItem& item = *classes_->topLevelItem(static_cast<int>(i));
    const LabelClass& entry = *shown[i];
    const auto key = keys.find(entry.id);
    item.setText(kKeyColumn, key == keys.end() ? QString() : key->second);
    item.setText(kNameColumn, QString::fromStdString(entry.name));
    item.setIcon(kNameColumn, classSwatch(entry));
    item.setData(kNameColumn, Qt::UserRole, QVariant::fromValue<qint64>(entry.id));
    const auto prob = probs.find(entry.id);
    item.setText(kProbabilityColumn,
                 prob == probs.end() ? QString() : tr("%1 %").arg(100.0 * prob->second, 0, 'f', 1));
    const bool chosen = label != nullptr && label->class_id == entry.id;
    const bool suggested = row && !hidden && reviewer_.suggestion() == entry.id;
    QFont font = classes_->font();
    font.setBold(chosen || suggested);
    for (const int column : {kKeyColumn, kNameColumn, kProbabilityColumn}) {
      item.setFont(column, font);
    }
    item.setSelected(chosen);
    const QString guideline = reviewer_.file().guidelineOf(entry.id);
    item.setToolTip(kNameColumn,
                    guideline.isEmpty() ? QString() : guideline.toHtmlEscaped().prepend("<qt>"));
  }
  const bool has_class = label != nullptr && label->class_id;
  showGuideline(has_class ? *label->class_id : hidden ? -1 : reviewer_.proposal());
}

void ReviewClasses::showGuideline(std::int64_t class_id) {
  const QString text = reviewer_.file().guidelineOf(class_id);
  const LabelClass* const entry = findClass(reviewer_.file().classes(), class_id);
  guideline_->setVisible(!text.isEmpty() && entry != nullptr);
  examples_->showClass(class_id);
  if (entry != nullptr) {
    guideline_->setText(tr("%1: %2").arg(QString::fromStdString(entry->name), text));
  }
}

std::optional<std::int64_t> ReviewClasses::classOfKey(const QString& key) const {
  const LabelClass* const found =
      dubito::classOfKey(reviewer_.file().classes(), reviewer_.keys(), key);
  return found == nullptr ? std::nullopt : std::optional(found->id);
}

void ReviewClasses::startSearch() {
  search_->setFocus();
}

void ReviewClasses::filter(const QString& text) {
  question_->hide();
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
  if (question_->isHidden()) {
    question_->setText(tr("There is no class “%1”. Enter adds it, Esc goes back.").arg(text));
    question_->show();
    return;
  }
  reviewer_.file().addClass(text);
  endSearch();
}

void ReviewClasses::endSearch() {
  search_->clear();
  Q_EMIT finished();
}

bool ReviewClasses::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    // Handled here, because the field would pass Enter on to the page, where it decides.
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
      endSearch();
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      takeSearch();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace dubito
