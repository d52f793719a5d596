// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/review_progress.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "app/pictures/thumbnail_loader.h"
#include "app/review/labels/decision_text.h"
#include "app/review/labels/reservation_holder.h"
#include "app/review/reviewer.h"
#include "app/review/single/review_swatch.h"
#include "widgets/image_gallery.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kShownDecisions = 8;
constexpr int kThumbnail = 12 * kGrid;
constexpr int kHistoryWidth = 110 * kGrid;
constexpr int kHistoryHeight = 20 * kGrid;

/// Who has reserved how many images until when, a line each.
QString reservedText(const std::vector<Reserved>& others) {
  QStringList lines;
  for (const Reserved& reserved : others) {
    const QDateTime until = QDateTime::fromMSecsSinceEpoch(reserved.until_ms);
    lines << ReviewProgress::tr("%1 has reserved %2 until %3")
                 .arg(personOf(reserved.holder), countText(reserved.items),
                      QLocale().toString(until.time(), QLocale::ShortFormat));
  }
  return lines.join(u'\n');
}

}  // namespace

ReviewProgress::ReviewProgress(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("reviewProgress"));
  bar_->setTextVisible(false);
  bar_->setFixedHeight(2 * kGrid);
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("reviewProgressText"));
  text_->setProperty("role", QStringLiteral("muted"));
  history_ = new ImageGallery(this);
  history_->setObjectName(QStringLiteral("reviewHistory"));
  history_->setThumbnailSize(kThumbnail);
  history_->setFixedSize(kHistoryWidth, kHistoryHeight);
  history_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  history_->setFocusPolicy(Qt::NoFocus);
  history_->setEmptyText(tr("Your last decisions appear here; click one to change it"));
  undo_ = new QPushButton(this);
  undo_->setObjectName(QStringLiteral("reviewUndo"));
  undo_->setToolTip(tr("Take back the last decision"));
  redo_ = new QPushButton(this);
  redo_->setObjectName(QStringLiteral("reviewRedo"));
  redo_->setToolTip(tr("Decide again what was taken back last"));
  auto* const state = new QVBoxLayout;
  state->setSpacing(kGrid);
  state->addStretch(1);
  state->addWidget(bar_);
  state->addWidget(text_);
  state->addStretch(1);
  auto* const line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4 * kGrid);
  line->addLayout(state, 1);
  line->addWidget(history_);
  for (QPushButton* const button : {undo_, redo_}) {
    button->setFocusPolicy(Qt::TabFocus);
    line->addWidget(button);
  }
  connect(&reviewer_.file(), &LabelFile::reserved, this, &ReviewProgress::showProgress);
  connect(undo_, &QPushButton::clicked, &reviewer_, &Reviewer::undo);
  connect(redo_, &QPushButton::clicked, &reviewer_, &Reviewer::redo);
  connect(history_, &ImageGallery::primaryChanged, this, [this](qint64 position) {
    if (position >= 0) {
      const std::int64_t row = history_->item(position).key;
      reviewer_.showItem(reviewer_.analysis()->in().run->ids.data()[row]);
    }
    Q_EMIT finished();
  });
  connect(history_, &ImageGallery::thumbnailsNeeded, this, &ReviewProgress::picturesNeeded);
}

void ReviewProgress::showItem() {
  showProgress();
  showHistory();
}

void ReviewProgress::showKeys() {
  undo_->setText(reviewer_.keys().withKey(tr("Undo"), ReviewCommand::kUndo));
  redo_->setText(reviewer_.keys().withKey(tr("Redo"), ReviewCommand::kRedo));
}

void ReviewProgress::setHistoryShown(bool shown) {
  history_->setVisible(shown);
}

void ReviewProgress::setPicture(qint64 key, const QImage& image) {
  history_->setThumbnail(key, image);
}

void ReviewProgress::showHistory() {
  const auto& newest = reviewer_.file().newest();
  const auto& classes = reviewer_.file().classes();
  std::vector<GalleryItem> items;
  std::unordered_set<std::int64_t> listed;
  for (const RecordedDecision& recorded : newest) {
    if (static_cast<int>(items.size()) == kShownDecisions) {
      break;
    }
    const Decision& decision = recorded.decision;
    const auto row = reviewer_.rowOf(decision.item);
    // What was taken back or replaced does not hold any more; the run shown may lack the item.
    if (recorded.undone || !row || !listed.insert(decision.item).second) {
      continue;
    }
    GalleryItem item;
    item.key = keyOf({0, *row});
    item.label_predicted = decisionText(classes, decision.action, decision.class_id);
    const LabelClass* const chosen =
        decision.class_id ? findClass(classes, mergedClass(classes, *decision.class_id)) : nullptr;
    if (chosen != nullptr) {
      item.swatch = classColour(*chosen);
    }
    items.push_back(item);
  }
  const bool empty = items.empty();
  history_->setItems(std::move(items));
  // One row with its captions.
  history_->setFixedHeight(empty ? kHistoryHeight : history_->itemRect(0).height() + kGrid);
}

void ReviewProgress::showProgress() {
  // The count is of all images, also of those decided earlier; a list made for a purpose counts its
  // own.
  const bool of_list = reviewer_.reviewQueue().isOfSome() && reviewer_.queue().length() > 0;
  const std::int64_t all = reviewer_.active() ? reviewer_.analysis()->in().run->itemCount() : 0;
  const std::int64_t length = of_list ? reviewer_.queue().length() : all;
  const std::int64_t decided = of_list ? reviewer_.decidedCount() : reviewer_.decidedInRun();
  bar_->setRange(0, static_cast<int>(std::max<std::int64_t>(length, 1)));
  bar_->setValue(static_cast<int>(decided));
  QStringList parts;
  if (!reviewer_.revertedText().isEmpty()) {
    parts << reviewer_.revertedText();
  }
  parts << (!of_list && decided == length
                ? countedText(length, tr("The only image is decided"),
                              tr("All %1 images are decided"))
                : tr("%1 of %2 decided").arg(countText(decided), countText(length)));
  if (of_list) {
    parts << tr("%1 of %2 in all").arg(countText(reviewer_.decidedInRun()), countText(all));
  }
  const QueueProgress& progress = reviewer_.progress();
  if (progress.skippedCount() > 0) {
    parts << tr("%1 skipped").arg(countText(progress.skippedCount()));
  }
  if (progress.flaggedCount() > 0) {
    parts << tr("%1 for somebody else").arg(countText(progress.flaggedCount()));
  }
  QString holders;
  if (reviewer_.takenCount() > 0) {
    const std::vector<Reserved>& others = reviewer_.file().others();
    parts << (others.size() == 1
                  ? tr("%1 with %2")
                        .arg(countText(reviewer_.takenCount()), personOf(others.front().holder))
                  : tr("%1 with others").arg(countText(reviewer_.takenCount())));
    holders = reservedText(others);
  }
  text_->setToolTip(holders);
  if (reviewer_.position() >= 0) {
    parts << tr("image %1").arg(countText(reviewer_.position() + 1));
  }
  const auto rate = decided < length ? reviewer_.decisionsPerMinute() : std::nullopt;
  if (rate) {
    parts << tr("%1 a minute").arg(qRound(*rate));
    const double minutes = static_cast<double>(length - decided) / *rate;
    parts << (minutes < 1.0 ? tr("less than a minute left")
                            : tr("about %1 min left").arg(qRound(minutes)));
  }
  text_->setText(parts.join(QStringLiteral(" · ")));
}

}  // namespace dubito
