// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_single.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/pages/review_classes.h"
#include "app/pages/review_pictures.h"
#include "app/pages/review_progress.h"
#include "app/pages/review_similar.h"
#include "app/pages/review_suggestion.h"
#include "app/panels/words.h"
#include "app/review/reviewer.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

/// Lower than this, what only accompanies the image gives way to it, in this order.
constexpr int kRoomForHistory = 130 * kGrid;
constexpr int kRoomForSimilar = 100 * kGrid;

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
  rows_ = new CardRows(QStringLiteral("reviewRows"), this);
  rows_->addRow(1, {{image_card_, 3}, {class_card, 2}});
  auto* const progress_card = new Card(tr("Progress"), this);
  progress_card->setObjectName(QStringLiteral("reviewProgressCard"));
  progress_ = new ReviewProgress(reviewer_, progress_card);
  progress_card->setContent(progress_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(rows_, 1);
  layout->addWidget(progress_card);
  connect(classes_, &ReviewClasses::finished, this, &ReviewMode::finished);
  connect(similar_, &ReviewSimilar::finished, this, &ReviewMode::finished);
  connect(classes_, &ReviewClasses::editRequested, this, &ReviewMode::editClassesRequested);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewSingle::showKeys);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
    if (reviewer_.active()) {
      showItem();  // the colours of the classes
    }
  });
  connect(progress_, &ReviewProgress::finished, this, &ReviewMode::finished);
  connect(progress_, &ReviewProgress::picturesNeeded, pictures_, &ReviewPictures::loadSmall);
  connect(pictures_, &ReviewPictures::smallLoaded, progress_, &ReviewProgress::setPicture);
  connect(pictures_, &ReviewPictures::shown, this, [this](bool readable) {
    if (!readable) {
      showUnreadable();
    }
  });
  showKeys();
}

bool ReviewSingle::busy() const {
  return pictures_->busy() || similar_->busy();
}

QWidget* ReviewSingle::makeImage() {
  auto* const content = new QWidget(this);
  image_ = new ZoomView(content);
  image_->setObjectName(QStringLiteral("reviewImage"));
  pictures_ = new ReviewPictures(reviewer_, *image_, this);
  image_->installEventFilter(this);
  suggestion_ = new ReviewSuggestion(reviewer_, content);
  as_network_ = new QCheckBox(tr("As the network sees it"), content);
  as_network_->setObjectName(QStringLiteral("reviewAsNetwork"));
  as_network_->setFocusPolicy(Qt::TabFocus);
  connect(as_network_, &QCheckBox::toggled, this, [this](bool on) {
    pictures_->setPicture(on ? Picture::kNetwork : Picture::kStored);
    Q_EMIT finished();
  });
  accept_ = new QPushButton(content);
  accept_->setObjectName(QStringLiteral("reviewAccept"));
  accept_->setProperty("role", QStringLiteral("primary"));
  accept_->setFocusPolicy(Qt::TabFocus);
  // In a narrow window the buttons take two lines: a cut "None of these" says the opposite.
  auto* const button_row = new QWidget(content);
  auto* const buttons = new FlowLayout(button_row, 2 * kGrid);
  const auto add = [&](const QString& text, const char* name, const QString& tip,
                       ReviewCommand command) {
    auto* const button = new QPushButton(content);
    button->setObjectName(QLatin1String(name));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, [this, command] { execute(command); });
    buttons->addWidget(button);
    buttons_.push_back({button, text, tip, command});
  };
  buttons->addWidget(accept_);
  add(tr("None of these"), "reviewNone", tr("No class in the list is right"), ReviewCommand::kNone);
  add(tr("Can't tell"), "reviewAmbiguous", tr("Several classes are right, or nobody can tell"),
      ReviewCommand::kAmbiguous);
  add(tr("Skip"), "reviewSkip", tr("Decide later"), ReviewCommand::kSkip);
  add(tr("For somebody else"), "reviewFlag", tr("Mark the image, so that somebody else decides"),
      ReviewCommand::kFlag);
  buttons->addWidget(as_network_);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(image_, 1);
  layout->addWidget(suggestion_);
  layout->addWidget(button_row);
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
  accept_->setVisible(row.has_value());
  suggestion_->showItem();
  for (const KeyButton& known : buttons_) {
    known.button->setEnabled(row.has_value());
  }
  if (!row) {
    image_card_->setTitle(tr("Image"));
    image_->setImage({}, reviewer_.busy() ? tr("Sorting the images…") : emptyText());
    return;
  }
  image_card_->setTitle(itemName(*reviewer_.analysis(), {0, *row}));
  const bool settled = reviewer_.isSettled();
  accept_->setEnabled(settled ? reviewer_.canMoveOn() : !reviewer_.hidesSuggestion());
  accept_->setText(reviewer_.keys().withKey(settled ? tr("Keep %1").arg(suggestion_->decidedName())
                                            : reviewer_.hidesSuggestion()
                                                ? tr("Accept")
                                                : tr("It is %1").arg(suggestion_->suggestedName()),
                                            ReviewCommand::kAccept));
  pictures_->showItem();
}

QString ReviewSingle::emptyText() const {
  const QString back = reviewer_.keys().keysText(ReviewCommand::kPrevious);
  return reviewer_.decidedInRun() == 0 || back.isEmpty()
             ? tr("Nothing left in this list. Choose another one.")
             : tr("Nothing left in this list. Choose another one, or press %1 to see what is "
                  "decided.")
                   .arg(back);
}

void ReviewSingle::showUnreadable() {
  const PresentLabel* const label = reviewer_.label();
  if (label == nullptr || !settles(label->action)) {
    suggestion_->showUnreadable();
    accept_->setEnabled(false);
  }
}

void ReviewSingle::resizeEvent(QResizeEvent* event) {
  ReviewMode::resizeEvent(event);
  progress_->setHistoryShown(height() >= kRoomForHistory);
  similar_->setFolded(height() < kRoomForSimilar);
}

bool ReviewSingle::eventFilter(QObject* watched, QEvent* event) {
  if (watched == image_ && event->type() == QEvent::Paint && pictures_->isShown()) {
    reviewer_.itemPainted(!image_->image().isNull());
  } else if (watched == image_ && event->type() == QEvent::Resize) {
    pictures_->sharpen();
  }
  return ReviewMode::eventFilter(watched, event);
}

void ReviewSingle::showKeys() {
  const ReviewKeys& keys = reviewer_.keys();
  for (const KeyButton& known : buttons_) {
    const QString all = keys.keysText(known.command);
    known.button->setText(keys.withKey(known.text, known.command));
    known.button->setToolTip(all.isEmpty() ? known.tip
                                           : QStringLiteral("%1 (%2)").arg(known.tip, all));
  }
  classes_->showKeys();
  progress_->showKeys();
  if (reviewer_.active()) {
    showItem();
  }
}

bool ReviewSingle::takeKey(const QKeyEvent& event) {
  const ReviewKeys& keys = reviewer_.keys();
  if (const auto command = keys.commandOf(event)) {
    // A key that is held down must not decide about images that nobody has looked at.
    if (event.isAutoRepeat() && !ReviewKeys::repeats(*command)) {
      return true;
    }
    return execute(*command);
  }
  const QKeySequence key = ReviewKeys::keyOf(event);
  if (key.isEmpty() || key[0].keyboardModifiers() != Qt::NoModifier) {
    return false;
  }
  const auto class_id = classes_->classOfKey(event.text());
  if (class_id && !event.isAutoRepeat()) {
    reviewer_.choose(*class_id);
  }
  return class_id.has_value();
}

bool ReviewSingle::execute(ReviewCommand command) {
  switch (command) {
    case ReviewCommand::kAccept:
      if (reviewer_.row() && reviewer_.hidesSuggestion()) {
        suggestion_->showHidden();
      }
      reviewer_.accept();
      return true;
    case ReviewCommand::kNone:
      reviewer_.mark(LabelAction::kNotInClasses);
      return true;
    case ReviewCommand::kAmbiguous:
      reviewer_.mark(LabelAction::kAmbiguous);
      return true;
    case ReviewCommand::kSkip:
      reviewer_.mark(LabelAction::kSkip);
      return true;
    case ReviewCommand::kFlag:
      reviewer_.mark(LabelAction::kFlag);
      return true;
    case ReviewCommand::kNext:
      reviewer_.move(1);
      return true;
    case ReviewCommand::kPrevious:
      reviewer_.move(-1);
      return true;
    case ReviewCommand::kNextUndecided:
      reviewer_.moveToUndecided(1);
      return true;
    case ReviewCommand::kPreviousUndecided:
      reviewer_.moveToUndecided(-1);
      return true;
    case ReviewCommand::kUndo:
      reviewer_.undo();
      return true;
    case ReviewCommand::kRedo:
      reviewer_.redo();
      return true;
    case ReviewCommand::kSearch:
      classes_->startSearch();
      return true;
    case ReviewCommand::kFit:
      image_->fit();
      return true;
    case ReviewCommand::kEnlarge:
      rows_->setEnlarged(rows_->enlarged() == image_card_ ? nullptr : image_card_);
      return true;
    case ReviewCommand::kCancel:
      if (rows_->enlarged() == nullptr) {
        return false;  // the window has its own meaning
      }
      rows_->setEnlarged(nullptr);
      return true;
    case ReviewCommand::kHide:
    case ReviewCommand::kKeys:
      return false;
  }
  return false;
}

}  // namespace dubito
