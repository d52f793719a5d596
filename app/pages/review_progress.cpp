// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_progress.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/pages/review_swatch.h"
#include "app/panels/thumbnail_loader.h"
#include "app/review/reviewer.h"
#include "widgets/image_gallery.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kShownDecisions = 14;

QString actionText(LabelAction action) {
  switch (action) {
    case LabelAction::kAccept:
    case LabelAction::kCorrect:
      return {};
    case LabelAction::kNotInClasses:
      return ReviewProgress::tr("none of these");
    case LabelAction::kAmbiguous:
      return ReviewProgress::tr("can't tell");
    case LabelAction::kSkip:
      return ReviewProgress::tr("skipped");
    case LabelAction::kFlag:
      return ReviewProgress::tr("flagged");
  }
  return {};
}

}  // namespace

QString decisionText(const std::vector<LabelClass>& classes, LabelAction action,
                     std::optional<std::int64_t> class_id) {
  const LabelClass* const chosen =
      class_id ? findClass(classes, mergedClass(classes, *class_id)) : nullptr;
  return chosen != nullptr ? QString::fromStdString(chosen->name) : actionText(action);
}

ReviewProgress::ReviewProgress(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("reviewProgress"));
  bar_->setTextVisible(false);
  bar_->setFixedHeight(2 * kGrid);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("reviewProgressText"));
  text_->setProperty("role", QStringLiteral("muted"));
  history_ = new ImageGallery(this);
  history_->setObjectName(QStringLiteral("reviewHistory"));
  history_->setFixedHeight(23 * kGrid);
  history_->setFocusPolicy(Qt::NoFocus);
  history_->setEmptyText(tr("Your last decisions appear here; click one to change it"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addWidget(bar_);
  layout->addWidget(text_);
  layout->addWidget(history_);
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

void ReviewProgress::setPicture(qint64 key, const QImage& image) {
  history_->setThumbnail(key, image);
}

void ReviewProgress::showHistory() {
  const auto& newest = reviewer_.file().newest();
  const auto& classes = reviewer_.file().classes();
  std::vector<GalleryItem> items;
  for (const RecordedDecision& recorded : newest) {
    if (static_cast<int>(items.size()) == kShownDecisions) {
      break;
    }
    const Decision& decision = recorded.decision;
    const auto row = reviewer_.rowOf(decision.item);
    if (!row) {
      continue;  // the run shown lacks the item
    }
    GalleryItem item;
    item.key = keyOf({0, *row});
    item.label_predicted =
        recorded.undone ? tr("undone") : decisionText(classes, decision.action, decision.class_id);
    const LabelClass* const chosen =
        decision.class_id ? findClass(classes, mergedClass(classes, *decision.class_id)) : nullptr;
    if (chosen != nullptr && !recorded.undone) {
      item.swatch = classColour(*chosen);
    }
    items.push_back(item);
  }
  history_->setItems(std::move(items));
}

void ReviewProgress::showProgress() {
  const std::int64_t length = reviewer_.queue().length();
  const std::int64_t decided = reviewer_.decidedCount();
  bar_->setRange(0, static_cast<int>(std::max<std::int64_t>(length, 1)));
  bar_->setValue(static_cast<int>(decided));
  QStringList parts = {tr("%1 of %2 decided").arg(countText(decided), countText(length))};
  if (reviewer_.takenCount() > 0) {
    parts << tr("%1 are with others").arg(countText(reviewer_.takenCount()));
  }
  if (reviewer_.position() >= 0) {
    parts << tr("image %1").arg(countText(reviewer_.position() + 1));
  }
  if (const auto rate = reviewer_.decisionsPerMinute()) {
    parts << tr("%1 a minute").arg(qRound(*rate));
    const double minutes = static_cast<double>(length - decided) / *rate;
    parts << (minutes < 1.0 ? tr("less than a minute left")
                            : tr("about %1 min left").arg(qRound(minutes)));
  }
  text_->setText(parts.join(QStringLiteral(" · ")));
}

}  // namespace dubito
