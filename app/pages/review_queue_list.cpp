// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_queue_list.h"

#include <QStandardItemModel>
#include <utility>

#include "app/review/queue_features.h"
#include "app/review/reviewer.h"

namespace dubito {
namespace {

/// Why a queue is useful, and the measure that it is ordered by.
QString tooltipOf(const QueueKind& kind) {
  const QString why = QString::fromStdString(kind.why);
  return kind.measure ? ReviewQueueList::tr("%1\nMeasure: %2")
                            .arg(why, QString::fromStdString(describe(*kind.measure).name))
                      : why;
}

}  // namespace

ReviewQueueList::ReviewQueueList(Reviewer& reviewer, const QueueFeatures& features, QWidget* parent)
    : QComboBox(parent), reviewer_(reviewer), features_(features) {
  setObjectName(QStringLiteral("reviewQueue"));
  setAccessibleName(tr("Order of the images"));
  setMaxVisibleItems(24);
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
  if (kind.needs.other_run && reviewer_.otherRuns().empty()) {
    return tr("Compute a second run over these images first");
  }
  if (kind.needs.given_labels && reviewer_.analysis() && !reviewer_.analysis()->in().labelled) {
    return tr("These images came without labels");
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
  QString tip = tooltipOf(kind);
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
  setCurrentIndex(findData(QString::fromStdString(reviewer_.queueKey())));
  // The name of a queue that is not in the list.
  setPlaceholderText(QString::fromStdString(reviewer_.queue().name));
  setToolTip(currentData(Qt::ToolTipRole).toString());
}

}  // namespace dubito
