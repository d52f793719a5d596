// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_single.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/review/grid/review_pictures.h"
#include "app/review/queue/review_progress.h"
#include "app/review/reviewer.h"
#include "app/review/single/review_classes.h"
#include "app/review/single/review_comment.h"
#include "app/review/single/review_light.h"
#include "app/review/single/review_opinions.h"
#include "app/review/single/review_similar.h"
#include "app/review/single/review_suggestion.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

/// Of the list of classes.
constexpr int kMaxClassWidth = 95 * kGrid;
/// Lower than this, what only accompanies the image gives way to it, in this order.
constexpr int kRoomForHistory = 110 * kGrid;
constexpr int kWidthForHistory = 230 * kGrid;
constexpr int kRoomForSimilar = 100 * kGrid;

}  // namespace

ReviewSingle::ReviewSingle(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                           QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer) {
  image_card_ = new Card(tr("Image"), this);
  image_card_->setObjectName(QStringLiteral("reviewImageCard"));
  image_card_->setContent(makeImage());
  auto* const class_card = new Card(tr("What is it?"), this);
  class_card->setObjectName(QStringLiteral("reviewClassCard"));
  auto* const choices = new QWidget(class_card);
  classes_ = new ReviewClasses(reviewer_, choices);
  opinions_ = new ReviewOpinions(reviewer_, choices);
  comment_ = new ReviewComment(reviewer_, choices);
  similar_ = new ReviewSimilar(reviewer_, jobs, computer, choices);
  auto* const of_choices = new QVBoxLayout(choices);
  of_choices->setContentsMargins(0, 0, 0, 0);
  of_choices->setSpacing(2 * kGrid);
  of_choices->addWidget(classes_, 1);
  of_choices->addWidget(opinions_);
  of_choices->addWidget(comment_);
  of_choices->addWidget(similar_);
  class_card->setContent(choices);
  rows_ = new CardRows(QStringLiteral("reviewRows"), this);
  class_card->setMaximumWidth(kMaxClassWidth);  // the rest belongs to the image
  rows_->addRow(1, {{image_card_, 3}, {class_card, 1}});
  progress_card_ = new QFrame(this);
  progress_card_->setObjectName(QStringLiteral("reviewProgressCard"));
  progress_card_->setProperty("role", QStringLiteral("card"));
  progress_ = new ReviewProgress(reviewer_, progress_card_);
  auto* const in_card = new QVBoxLayout(progress_card_);
  in_card->setContentsMargins(3 * kGrid, kGrid, 3 * kGrid, kGrid);
  in_card->addWidget(progress_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(rows_, 1);
  layout->addWidget(progress_card_);
  connect(classes_, &ReviewClasses::finished, this, &ReviewMode::finished);
  connect(comment_, &ReviewComment::finished, this, &ReviewMode::finished);
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
  light_ = new ReviewLight(*image_);
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
  given_ = new QPushButton(content);
  given_->setObjectName(QStringLiteral("reviewGiven"));
  given_->setToolTip(tr("The label that the image came with is right"));
  given_->setFocusPolicy(Qt::TabFocus);
  connect(given_, &QPushButton::clicked, this, [this] { execute(ReviewCommand::kGiven); });
  buttons->addWidget(given_);
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
  image_card_->setSubtitle(tr("saved in %1").arg(QFileInfo(reviewer_.file().place()).fileName()));
  showItem();
}

void ReviewSingle::showItem() {
  progress_->showItem();
  classes_->showItem();
  opinions_->showItem();
  comment_->showItem();
  similar_->showItem();
  const bool has_network = reviewer_.analysis() && reviewer_.analysis()->model;
  as_network_->setVisible(!reviewer_.suggestsLabels());
  as_network_->setEnabled(has_network);
  as_network_->setToolTip(has_network ? tr("Resized and cropped like the network's input")
                                      : tr("Open the model of this run first"));
  if (!has_network) {
    as_network_->setChecked(false);
  }
  const auto row = reviewer_.row();
  if (std::exchange(shown_row_, row) != row) {
    image_->resetTurns();
  }
  accept_->setVisible(row.has_value());
  given_->hide();
  suggestion_->showItem();
  for (const KeyButton& known : buttons_) {
    known.button->setEnabled(row.has_value());
  }
  if (!row) {
    image_card_->setTitle(tr("Image"));
    image_->setImage({}, reviewer_.busy() ? tr("Sorting the images…") : emptyText());
    return;
  }
  // The folder of an image is often its class.
  const QString name = itemName(*reviewer_.analysis(), {0, *row});
  image_card_->setTitle(reviewer_.hidesSuggestion() ? QFileInfo(name).fileName() : name);
  const bool settled = reviewer_.isSettled();
  accept_->setEnabled(settled ? reviewer_.canMoveOn() : !reviewer_.hidesSuggestion());
  accept_->setText(reviewer_.keys().withKey(settled ? tr("Keep %1").arg(suggestion_->decidedName())
                                            : reviewer_.hidesSuggestion()
                                                ? tr("Accept")
                                                : tr("It is %1").arg(suggestion_->proposedName()),
                                            ReviewCommand::kAccept));
  const bool other = reviewer_.givenLabel() >= 0 &&
                     reviewer_.givenLabel() != reviewer_.proposal() && !settled &&
                     !reviewer_.hidesSuggestion();
  given_->setVisible(other);
  given_->setText(reviewer_.keys().withKey(tr("%1 is right").arg(suggestion_->givenName()),
                                           ReviewCommand::kGiven));
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
  progress_->setHistoryShown(height() >= kRoomForHistory && width() >= kWidthForHistory);
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
  comment_->showKeys();
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

void ReviewSingle::showAlone(bool alone) {
  rows_->setEnlarged(alone ? image_card_ : nullptr);
  progress_card_->setVisible(!alone);
  Q_EMIT aloneChanged(alone);
}

bool ReviewSingle::execute(ReviewCommand command) {
  switch (command) {
    case ReviewCommand::kAccept:
      if (reviewer_.row() && reviewer_.hidesSuggestion()) {
        suggestion_->showHidden();
      }
      reviewer_.accept();
      return true;
    case ReviewCommand::kGiven:
      if (reviewer_.row() && reviewer_.hidesSuggestion()) {
        suggestion_->showHidden();
      }
      reviewer_.acceptGiven();
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
    case ReviewCommand::kTurn:
      image_->turn(1);
      return true;
    case ReviewCommand::kLight:
      light_->toggle();
      return true;
    case ReviewCommand::kComment:
      showAlone(false);
      comment_->startWriting();
      return true;
    case ReviewCommand::kEnlarge:
      showAlone(rows_->enlarged() != image_card_);
      return true;
    case ReviewCommand::kCancel:
      if (rows_->enlarged() == nullptr) {
        return false;  // the window has its own meaning
      }
      showAlone(false);
      return true;
    case ReviewCommand::kHide:
    case ReviewCommand::kKeys:
      return false;
  }
  return false;
}

}  // namespace dubito
