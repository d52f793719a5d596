// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/review_queue_list.h"

#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

#include "app/review/queue/queue_features.h"
#include "app/review/reviewer.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kShownOrders = 12;

/// Why a queue is useful, and the measure that it is ordered by.
QString tooltipOf(const QueueKind& kind, bool of_labels) {
  const QString why = QString::fromStdString(
      of_labels && !kind.why_of_labels.empty() ? kind.why_of_labels : kind.why);
  return kind.measure && !of_labels
             ? ReviewQueueList::tr("%1\nMeasure: %2")
                   .arg(why, QString::fromStdString(describe(*kind.measure).name))
             : why;
}

/// An order with what is different about it in a muted line below its name.
class OrderDelegate : public QStyledItemDelegate {
 public:
  static constexpr int kOrderWidth = 150 * kGrid;

  using QStyledItemDelegate::QStyledItemDelegate;

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return isOrder(index) ? QSize(std::max(size.width(), kOrderWidth), size.height() + lineHeight())
                          : size;
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    if (!isOrder(index)) {
      QStyledItemDelegate::paint(painter, option, index);
      return;
    }
    QStyleOptionViewItem name(option);
    initStyleOption(&name, index);
    name.displayAlignment = Qt::AlignLeft | Qt::AlignTop;
    const QStyle* const style = option.widget->style();
    const QString text = std::exchange(name.text, QString());
    style->drawControl(QStyle::CE_ItemViewItem, &name, painter, option.widget);
    const QRect area = option.rect.adjusted(2 * kGrid, kGrid / 2, -2 * kGrid, -kGrid / 2);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const QColor ink = name.palette.color(enabled ? QPalette::Active : QPalette::Disabled,
                                          selected ? QPalette::HighlightedText : QPalette::Text);
    painter->save();
    painter->setFont(name.font);
    painter->setPen(ink);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignTop, text);
    painter->setFont(uiFont(TypeSize::kSmall));
    painter->setPen(selected ? ink : currentTheme().muted);
    const QString why = index.data(Qt::ToolTipRole).toString().section(u'\n', 0, 0);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignBottom,
                      painter->fontMetrics().elidedText(why, Qt::ElideRight, area.width()));
    painter->restore();
  }

 private:
  static bool isOrder(const QModelIndex& index) { return index.data(Qt::UserRole).isValid(); }
  static int lineHeight() { return QFontMetrics(uiFont(TypeSize::kSmall)).height() + kGrid; }
};

}  // namespace

ReviewQueueList::ReviewQueueList(Reviewer& reviewer, const QueueFeatures& features, QWidget* parent)
    : QComboBox(parent), reviewer_(reviewer), features_(features) {
  setObjectName(QStringLiteral("reviewQueue"));
  setAccessibleName(tr("Order of the images"));
  setMaxVisibleItems(kShownOrders);
  auto* const list = new QListView(this);
  list->setMinimumWidth(OrderDelegate::kOrderWidth);
  setView(list);
  setItemDelegate(new OrderDelegate(this));
  for (const QueueGroup group : allQueueGroups()) {
    bool headed = false;
    for (const QueueId id : allQueueKinds()) {
      const QueueKind& kind = describe(id);
      if (kind.group != group) {
        continue;
      }
      if (!std::exchange(headed, true)) {
        addHeading(QString::fromUtf8(nameOf(group)));
      }
      addItem(QString::fromStdString(kind.name), QString::fromStdString(kind.key));
    }
  }
}

void ReviewQueueList::addHeading(const QString& text) {
  addItem(text);
  QStandardItem& item = *static_cast<QStandardItemModel*>(model())->item(count() - 1);
  QFont font = this->font();
  font.setBold(true);
  item.setFont(font);
  item.setFlags(Qt::NoItemFlags);
}

QString ReviewQueueList::obstacleTo(const QueueKind& kind) const {
  if (kind.needs.other_run && reviewer_.reviewQueue().otherRuns().empty()) {
    return reviewer_.suggestsLabels()
               ? tr("Open the labels of a second program for these images first")
               : tr("Compute a second run over these images first");
  }
  if (kind.needs.given_labels && reviewer_.analysis() && !reviewer_.analysis()->in().labelled) {
    return tr("These images came without labels");
  }
  if (kind.needs.images) {
    return {};
  }
  if (reviewer_.suggestsLabels()) {
    if (kind.needs.draws || kind.needs.features) {
      return tr("This order needs a network: the tab Learn lets one look at the images");
    }
    if (const bool by_score = kind.measure.has_value(); by_score && !reviewer_.hasScores()) {
      return tr("These labels came without scores");
    }
    const bool needs_all = kind.needs.given_labels || (kind.measure && kind.key != "confidence");
    return needs_all && !reviewer_.hasAllScores()
               ? tr("These labels came without the scores of all classes")
               : QString();
  }
  if (kind.measure && reviewer_.analysis() && !reviewer_.analysis()->in().has(*kind.measure)) {
    return kind.needs.draws ? tr("The network has answered only once about each image: compute a "
                                 "run with several answers, for example MC dropout, first")
                            : tr("This run does not have what the order needs");
  }
  return kind.needs.features ? features_.obstacle() : QString();
}

void ReviewQueueList::showKind(int index, const QueueKind& kind) {
  QString name = QString::fromStdString(kind.name);
  QString tip = tooltipOf(kind, reviewer_.suggestsLabels());
  const QString obstacle = obstacleTo(kind);
  if (!obstacle.isEmpty()) {
    tip = obstacle;
  } else if (kind.needs.features && !features_.price().isEmpty()) {
    name = tr("%1 (%2)").arg(name, features_.shortPrice());
    tip += u'\n' + features_.price();
  }
  setItemText(index, name);
  setItemData(index, tip, Qt::ToolTipRole);
  static_cast<const QStandardItemModel&>(*model()).item(index)->setEnabled(obstacle.isEmpty());
}

void ReviewQueueList::showState() {
  for (int i = 0; i < count(); ++i) {
    const auto id = queueOfKey(itemData(i).toString().toStdString());
    if (id) {  // else a heading
      showKind(i, describe(*id));
    }
  }
  setCurrentIndex(findData(QString::fromStdString(reviewer_.reviewQueue().key())));
  // The name of a queue that is not in the list.
  setPlaceholderText(QString::fromStdString(reviewer_.queue().name));
  setToolTip(currentData(Qt::ToolTipRole).toString());
}

}  // namespace dubito
