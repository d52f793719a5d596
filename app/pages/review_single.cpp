// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_single.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/pages/review_classes.h"
#include "app/pages/review_progress.h"
#include "app/pages/review_similar.h"
#include "app/panels/words.h"
#include "app/review/reviewer.h"
#include "core/decisions/probability_interval.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

constexpr int kPrefetched = 6;
/// Of the ends of the interval, in percent.
constexpr int kIntervalDigits = 2;

struct ActionKey {
  Qt::Key key;
  LabelAction action;
};
constexpr ActionKey kActionKeys[] = {{Qt::Key_N, LabelAction::kNotInClasses},
                                     {Qt::Key_U, LabelAction::kAmbiguous},
                                     {Qt::Key_S, LabelAction::kSkip},
                                     {Qt::Key_G, LabelAction::kFlag}};

}  // namespace

ReviewSingle::ReviewSingle(Reviewer& reviewer, Workbench& workbench, QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer) {
  image_card_ = new Card(tr("Image"), this);
  image_card_->setObjectName(QStringLiteral("reviewImageCard"));
  image_card_->setContent(makeImage());
  auto* const class_card = new Card(tr("What is it?"), this);
  class_card->setObjectName(QStringLiteral("reviewClassCard"));
  auto* const choices = new QWidget(class_card);
  classes_ = new ReviewClasses(reviewer_, choices);
  similar_ = new ReviewSimilar(reviewer_, workbench, choices);
  auto* const of_choices = new QVBoxLayout(choices);
  of_choices->setContentsMargins(0, 0, 0, 0);
  of_choices->setSpacing(2 * kGrid);
  of_choices->addWidget(classes_, 1);
  of_choices->addWidget(similar_);
  class_card->setContent(choices);
  auto* const rows = new CardRows(QStringLiteral("reviewRows"), this);
  rows->addRow(1, {{image_card_, 3}, {class_card, 2}});
  auto* const progress_card = new Card(tr("Progress"), this);
  progress_card->setObjectName(QStringLiteral("reviewProgressCard"));
  progress_ = new ReviewProgress(reviewer_, progress_card);
  progress_card->setContent(progress_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(rows, 1);
  layout->addWidget(progress_card);
  connect(classes_, &ReviewClasses::finished, this, &ReviewMode::finished);
  connect(similar_, &ReviewSimilar::finished, this, &ReviewMode::finished);
  connect(progress_, &ReviewProgress::finished, this, &ReviewMode::finished);
  connect(progress_, &ReviewProgress::picturesNeeded, this, [this](const QVector<qint64>& keys) {
    if (reviewer_.analysis()) {
      loader_.load(picturesOf(reviewer_.analysis()), keys);
    }
  });
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis()) {
              progress_->setPicture(key, image);
              if (picture_ == Picture::kStored) {
                takePicture(key, image);
              }
            }
          });
  connect(&network_loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis() && picture_ == Picture::kNetwork) {
              takePicture(key, image);
            }
          });
}

bool ReviewSingle::busy() const {
  return loader_.pending() > 0 || network_loader_.pending() > 0 || similar_->busy();
}

QWidget* ReviewSingle::makeImage() {
  auto* const content = new QWidget(this);
  image_ = new ZoomView(content);
  image_->setObjectName(QStringLiteral("reviewImage"));
  image_->installEventFilter(this);
  suggestion_ = new QLabel(content);
  suggestion_->setObjectName(QStringLiteral("reviewSuggestion"));
  suggestion_->setFont(uiFont(TypeSize::kTitle));
  suggestion_->setAlignment(Qt::AlignCenter);
  suggestion_->setWordWrap(true);  // a long text must not move what is next to the image
  as_network_ = new QCheckBox(tr("As the network sees it"), content);
  as_network_->setObjectName(QStringLiteral("reviewAsNetwork"));
  as_network_->setFocusPolicy(Qt::TabFocus);
  connect(as_network_, &QCheckBox::toggled, this, [this](bool on) {
    setPicture(on ? Picture::kNetwork : Picture::kStored);
    Q_EMIT finished();
  });
  accept_ = new QPushButton(content);
  accept_->setObjectName(QStringLiteral("reviewAccept"));
  accept_->setProperty("role", QStringLiteral("primary"));
  accept_->setFocusPolicy(Qt::TabFocus);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  const auto add = [&](const QString& text, const char* name, const QString& tip, auto action) {
    auto* const button = new QPushButton(text, content);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, action);
    buttons->addWidget(button);
  };
  buttons->addStretch(1);
  buttons->addWidget(accept_);
  add(tr("None of these (N)"), "reviewNone", tr("No class in the list is right"),
      [this] { reviewer_.mark(LabelAction::kNotInClasses); });
  add(tr("Can't tell (U)"), "reviewAmbiguous", tr("Several classes are right, or nobody can tell"),
      [this] { reviewer_.mark(LabelAction::kAmbiguous); });
  add(tr("Skip (S)"), "reviewSkip", tr("Decide later"),
      [this] { reviewer_.mark(LabelAction::kSkip); });
  add(tr("Undo"), "reviewUndo", tr("Take back the last decision (Ctrl+Z)"),
      [this] { reviewer_.undo(); });
  buttons->addStretch(1);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(as_network_, 0, Qt::AlignRight);
  layout->addWidget(image_, 1);
  layout->addWidget(suggestion_);
  layout->addLayout(buttons);
  connect(accept_, &QPushButton::clicked, &reviewer_, &Reviewer::accept);
  return content;
}

void ReviewSingle::showState() {
  image_card_->setSubtitle(tr("labels in %1").arg(QFileInfo(reviewer_.file().place()).fileName()));
  showItem();
}

void ReviewSingle::showItem() {
  progress_->showItem();
  classes_->showItem();
  similar_->showItem();
  const bool has_network = reviewer_.analysis() && reviewer_.analysis()->model;
  as_network_->setEnabled(has_network);
  as_network_->setToolTip(has_network ? tr("Resized and cropped like the network's input")
                                      : tr("Open the model of this run first"));
  if (!has_network) {
    as_network_->setChecked(false);
  }
  const auto row = reviewer_.row();
  accept_->setEnabled(row && !reviewer_.hidesSuggestion());
  if (!row) {
    image_card_->setTitle(tr("Image"));
    image_->setImage({}, reviewer_.busy() ? tr("Sorting the images…")
                                          : tr("Nothing left in this list. Choose another one."));
    suggestion_->clear();
    return;
  }
  const AnalysisPtr& analysis = reviewer_.analysis();
  image_card_->setTitle(itemName(*analysis, {0, *row}));
  const QString name = className(*analysis, reviewer_.suggestion());
  const PresentLabel* const label = reviewer_.label();
  if (reviewer_.hidesSuggestion()) {
    suggestion_->setText(tr("What is it?"));
    accept_->setText(tr("Accept (Enter)"));
  } else {
    const QString given = className(*analysis, reviewer_.givenLabel());
    const QString suggested = suggestionText(*row);
    suggestion_->setText(label != nullptr ? decidedText(*label)
                         : given.isEmpty()
                             ? tr("The network says %1").arg(suggested)
                             : tr("Labelled %1. The network says %2").arg(given, suggested));
    accept_->setText(tr("It is %1 (Enter)").arg(name));
  }
  loadPictures();
}

QString ReviewSingle::suggestionText(std::int64_t row) const {
  const Run& run = *reviewer_.analysis()->in().run;
  const QString name = className(*reviewer_.analysis(), reviewer_.suggestion());
  const QString percent = shortText(100.0 * run.confidence.data()[row]);
  const auto interval = probabilityInterval(run, row, run.predictions.data()[row]);
  return interval ? tr("%1, %2 % sure (%3 to %4)")
                        .arg(name, percent, shortText(100.0 * interval->low, kIntervalDigits),
                             shortText(100.0 * interval->high, kIntervalDigits))
                  : tr("%1, %2 % sure").arg(name, percent);
}

void ReviewSingle::setPicture(Picture picture) {
  picture_ = picture;
  pictures_.clear();
  if (reviewer_.row()) {
    loadPictures();
  }
}

QString ReviewSingle::decidedText(const PresentLabel& label) const {
  const QString decision = decisionText(reviewer_.file().classes(), label.action, label.class_id);
  const QString who = QString::fromStdString(label.annotator);
  if (label.origin == LabelOrigin::kModel) {
    return tr("Labelled by the network: %1").arg(decision);
  }
  return who == reviewer_.file().annotator() ? tr("Your decision: %1").arg(decision)
                                             : tr("Decision of %1: %2").arg(who, decision);
}

void ReviewSingle::loadPictures() {
  const AnalysisPtr& analysis = reviewer_.analysis();
  if (std::exchange(pictures_of_, analysis) != analysis) {
    pictures_.clear();
  }
  // The item shown comes first; one that is not in the queue is followed by the queue's present
  // one.
  const qint64 shown = keyOf({0, *reviewer_.row()});
  QVector<qint64> wanted = {shown};
  const std::int64_t first = std::max<std::int64_t>(reviewer_.position(), 0);
  const std::int64_t end = std::min(first + 1 + kPrefetched, reviewer_.queue().length());
  for (std::int64_t at = first; at < end; ++at) {
    wanted << keyOf({0, reviewer_.queue().rows[static_cast<std::size_t>(at)]});
  }
  QVector<qint64> missing;
  QHash<qint64, QImage> kept;
  for (const qint64 key : wanted) {
    if (const auto found = pictures_.constFind(key); found != pictures_.constEnd()) {
      kept.insert(key, *found);
    } else if (!missing.contains(key)) {
      missing << key;
    }
  }
  pictures_ = std::move(kept);
  if (const auto found = pictures_.constFind(shown); found != pictures_.constEnd()) {
    showPicture(*found);
  } else {
    image_->setImage({}, tr("Loading…"));
  }
  if (!missing.isEmpty()) {
    (picture_ == Picture::kStored ? loader_ : network_loader_)
        .load(picturesOf(analysis, picture_), missing);
  }
}

void ReviewSingle::showPicture(const QImage& image) {
  image_->setImage(image, tr("This image cannot be read"));
  image_->update();
  if (image.isNull() && reviewer_.label() == nullptr) {
    suggestion_->setText(tr("Skip it (S), or say that you can't tell (U)"));
    accept_->setEnabled(false);
  }
}

void ReviewSingle::takePicture(qint64 key, const QImage& image) {
  const auto row = reviewer_.row();
  if (!row) {
    return;
  }
  pictures_.insert(key, image);
  if (key == keyOf({0, *row})) {
    showPicture(image);
  }
}

bool ReviewSingle::eventFilter(QObject* watched, QEvent* event) {
  if (watched == image_ && event->type() == QEvent::Paint && reviewer_.row() &&
      pictures_.contains(keyOf({0, *reviewer_.row()}))) {
    reviewer_.itemPainted(!image_->image().isNull());
  }
  return ReviewMode::eventFilter(watched, event);
}

bool ReviewSingle::takeKey(const QKeyEvent& event) {
  const bool jumps = event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier);
  if (event.modifiers() != Qt::NoModifier && event.modifiers() != Qt::KeypadModifier && !jumps) {
    return false;
  }
  // A key that is held down must not decide about images that nobody has looked at.
  const bool may_decide = !event.isAutoRepeat() && !jumps;
  if (const auto class_id = jumps ? std::nullopt : classes_->classOfKey(event.text())) {
    if (may_decide) {
      reviewer_.choose(*class_id);
    }
    return true;
  }
  if (const auto* const found = std::ranges::find(kActionKeys, event.key(), &ActionKey::key);
      found != std::end(kActionKeys)) {
    if (may_decide) {
      reviewer_.mark(found->action);
    }
    return true;
  }
  switch (event.key()) {
    case Qt::Key_A:
    case Qt::Key_Left:
      jumps ? reviewer_.moveToUndecided(-1) : reviewer_.move(-1);
      return true;
    case Qt::Key_D:
    case Qt::Key_Right:
      jumps ? reviewer_.moveToUndecided(1) : reviewer_.move(1);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (may_decide) {
        reviewer_.accept();
      }
      return true;
    case Qt::Key_Z:
      image_->fit();
      return true;
    case Qt::Key_Slash:
      classes_->startSearch();
      return true;
    default:
      return false;
  }
}

}  // namespace dubito
