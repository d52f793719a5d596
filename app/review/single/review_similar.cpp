// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_similar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/review/labels/decision_text.h"
#include "app/review/reviewer.h"
#include "app/review/single/review_picture_row.h"
#include "app/words/words.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

ReviewSimilar::ReviewSimilar(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                             QWidget* parent)
    : QWidget(parent), reviewer_(reviewer), neighbours_(reviewer, jobs, computer) {
  text_ = makeMutedLabel(QStringLiteral("reviewSimilarText"), this);
  button_ = new QPushButton(this);
  button_->setObjectName(QStringLiteral("reviewSimilarStart"));
  button_->setFocusPolicy(Qt::TabFocus);
  gallery_ = new ReviewPictureRow(reviewer_, QStringLiteral("reviewSimilar"), 20 * kGrid, this);
  gallery_->setAccessibleName(tr("similar decided images"));
  auto* const head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(text_, 1);
  head->addWidget(button_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addLayout(head);
  layout->addWidget(gallery_);
  connect(button_, &QPushButton::clicked, this, [this] {
    if (neighbours_.state() == DecidedNeighbours::State::kIndexing) {
      neighbours_.cancel();
    } else {
      neighbours_.start();
    }
    Q_EMIT finished();
  });
  connect(&neighbours_, &DecidedNeighbours::stateChanged, this, &ReviewSimilar::showItem);
  connect(&neighbours_, &DecidedNeighbours::progressed, this,
          [this](int percent) { text_->setText(tr("Comparing the images: %1 %").arg(percent)); });
  connect(&neighbours_, &DecidedNeighbours::found, this, &ReviewSimilar::showFound);
  connect(gallery_, &ImageGallery::primaryChanged, this, [this](qint64 position) {
    if (position >= 0) {
      const std::int64_t row = gallery_->item(position).key;
      reviewer_.showItem(reviewer_.analysis()->in().run->ids.data()[row]);
    }
    Q_EMIT finished();
  });
}

void ReviewSimilar::setFolded(bool folded) {
  if (std::exchange(folded_, folded) != folded && reviewer_.active()) {
    showItem();
  }
}

bool ReviewSimilar::busy() const {
  return neighbours_.busy() || gallery_->busy();
}

void ReviewSimilar::showItem() {
  using State = DecidedNeighbours::State;
  neighbours_.readNewest();
  const State state = neighbours_.state();
  // Keeps its height from image to image: nothing else moves.
  setVisible(state != State::kUnavailable);
  button_->setVisible(state == State::kNotStarted || state == State::kIndexing);
  // Without an index, the room belongs to the classes.
  gallery_->setVisible(!folded_ && !button_->isVisibleTo(this));
  button_->setText(state == State::kIndexing ? tr("Cancel") : tr("Find similar images"));
  button_->setToolTip(tr("Runs the network once over all images"));
  const auto row = reviewer_.row();
  if (state == State::kUnavailable || !row) {
    clear({});
  } else if (reviewer_.hidesSuggestion()) {
    button_->hide();
    clear(tr("Similar images are hidden with the suggestion"));
  } else if (state == State::kIndexing) {
    clear(tr("Comparing the images…"));
  } else if (state == State::kNotStarted) {
    clear(neighbours_.failure().isEmpty() ? tr("Similar images that are decided can be shown here")
                                          : neighbours_.failure());
    neighbours_.startIfQuick();
  } else if (!neighbours_.hasDecided()) {
    clear(tr("Similar images that you have decided will be shown here"));
  } else {
    neighbours_.search(*row);
  }
}

void ReviewSimilar::clear(const QString& text) {
  text_->setText(text);
  gallery_->setItems({});
}

void ReviewSimilar::showFound(std::int64_t row, const std::vector<std::int64_t>& neighbours) {
  if (reviewer_.row() != row || reviewer_.hidesSuggestion()) {
    return;
  }
  std::vector<GalleryItem> items;
  QStringList names;
  for (const std::int64_t similar : neighbours) {
    const PresentLabel* const label =
        reviewer_.file().labelOf(reviewer_.analysis()->in().run->ids.data()[similar]);
    if (label == nullptr) {
      continue;  // taken back meanwhile
    }
    GalleryItem item;
    item.key = keyOf({0, similar});
    item.label_predicted = decisionText(reviewer_.file().classes(), label->action, label->class_id);
    item.tooltip = itemName(*reviewer_.analysis(), {0, similar});
    names << item.label_predicted;
    items.push_back(item);
  }
  text_->setText(summary(names));
  gallery_->setPrimary(-1);
  gallery_->setItems(std::move(items));
}

QString ReviewSimilar::summary(const QStringList& names) const {
  if (names.isEmpty()) {
    return tr("No similar image is decided yet");
  }
  const bool agree =
      std::ranges::all_of(names, [&](const QString& name) { return name == names.front(); });
  return agree ? tr("Similar, already decided: %n were called %1", nullptr,
                    static_cast<int>(names.size()))
                     .arg(names.front())
               : tr("Similar, already decided: not all in one class");
}

}  // namespace dubito
