// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_page.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "app/review/automatic/review_automatic.h"
#include "app/review/grid/review_grid.h"
#include "app/review/learn/review_learn.h"
#include "app/review/results/review_results.h"
#include "app/review/review_bar.h"
#include "app/review/review_end_notice.h"
#include "app/review/review_export.h"
#include "app/review/review_mode.h"
#include "app/review/review_needs_network.h"
#include "app/review/review_start.h"
#include "app/review/settings/review_sheet.h"
#include "app/review/single/review_single.h"
#include "app/workbench/file_opener.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A lower page has one notice at a time, so that the image stays large enough to be judged.
constexpr int kRoomForTwoNotices = 165 * kGrid;

/// Requirements of a mode in addition to suggestions.
enum class ModeNeeds : std::uint8_t { kNothing, kScores, kNetwork };

/// The ways to work on labels, in the order of their tabs.
struct ModeInfo {
  const char* key;
  const char* name;
  const char* tip;
  bool follows;  ///< proposed where a queue ends
  ModeNeeds needs;
  ReviewMode* (*make)(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer, QWidget* parent);
};

template <class Mode>
ReviewMode* makeMode(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer, QWidget* parent) {
  if constexpr (std::is_constructible_v<Mode, Reviewer&, WindowJobs&, RunComputer&, QWidget*>) {
    return new Mode(reviewer, jobs, computer, parent);
  } else {
    return new Mode(reviewer, parent);
  }
}

constexpr ModeInfo kModes[] = {
    {"single", QT_TRANSLATE_NOOP("dubito::ReviewPage", "One by one"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "One large image at a time"), false,
     ModeNeeds::kNothing, makeMode<ReviewSingle>},
    {"grid", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Many at once"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "Pages of images with the same suggestion"), true,
     ModeNeeds::kNothing, makeMode<ReviewGrid>},
    {"automatic", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Automatic"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage",
                       "Labels what is certain enough, with a guarantee that is checked"),
     true, ModeNeeds::kScores, makeMode<ReviewAutomatic>},
    {"learn", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Learn"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage",
                       "The network learns from your labels and sorts the images again"),
     true, ModeNeeds::kNetwork, makeMode<ReviewLearn>},
    {"results", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Results"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "What the review has changed, and how it went"), true,
     ModeNeeds::kNothing, makeMode<ReviewResults>}};

/// Why the suggestions under review are not enough for a mode called `name`; empty if they are.
QString missingFor(ModeNeeds needs, const QString& name, const Reviewer& reviewer) {
  if (needs == ModeNeeds::kNothing || !reviewer.suggestsLabels()) {
    return {};
  }
  const QString decisions_stay = ReviewPage::tr("Your decisions stay when a network has looked.");
  if (needs == ModeNeeds::kNetwork) {
    return ReviewPage::tr(
               "%1 needs a network that has looked at these images. So far only the "
               "program that labelled them has.\n%2")
        .arg(name, decisions_stay);
  }
  const auto scores = reviewer.analysis()->in().run->confidence.values();
  const auto without =
      std::ranges::count_if(scores, [](double score) { return std::isnan(score); });
  return without == 0
             ? QString()
             : ReviewPage::tr(
                   "%1 needs a score of every image, but %2 of the %3 labels "
                   "came without one. A network can look at the images.\n%4")
                   .arg(name, countText(without), countText(std::ssize(scores)), decisions_stay);
}

}  // namespace

ReviewPage::ReviewPage(Session& session, WindowJobs& jobs, RunComputer& computer,
                       FileOpener& opener, QSettings& settings, QWidget* parent)
    : Page(PageId::kReview, parent),
      jobs_(jobs),
      computer_(computer),
      reviewer_(session, settings),
      features_(reviewer_, jobs, computer) {
  setObjectName(QStringLiteral("reviewPage"));
  setFocusPolicy(Qt::StrongFocus);
  stack_ = new QStackedWidget(this);
  stack_->setObjectName(QStringLiteral("reviewStack"));
  start_ = new ReviewStart({.session = session,
                            .settings = settings,
                            .jobs = jobs,
                            .computer = computer,
                            .opener = opener},
                           stack_);
  stack_->addWidget(start_);
  stack_->addWidget(makeWork());
  auto* const outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(stack_);

  connect(start_, &ReviewStart::startRequested, &reviewer_, [this] { reviewer_.start(); });
  connect(start_, &ReviewStart::imagesRequested, this, &ReviewPage::imagesRequested);
  connect(start_, &ReviewStart::labelsRequested, this, &ReviewPage::labelsRequested);
  connect(start_, &ReviewStart::pathsDropped, this, &ReviewPage::pathsDropped);
  connect(start_, &ReviewStart::datasetRequested, &opener, &FileOpener::reviewDataset);
  connect(&reviewer_.session(), &Session::workspaceChanged, this, [this] {
    if (!reviewer_.active()) {
      showState();
    }
  });
  connect(&reviewer_, &Reviewer::failed, this, &ReviewPage::failed);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewPage::historyKeysChanged);
  connect(&reviewer_, &Reviewer::noticed, this, &ReviewPage::noticed);
  connect(&features_, &QueueFeatures::failed, this, &ReviewPage::failed);
  connect(&reviewer_, &Reviewer::stateChanged, this, &ReviewPage::showState);
  connect(&reviewer_, &Reviewer::itemChanged, this, &ReviewPage::showItem);
  connect(&reviewer_.session(), &Session::activeAnalysisChanged, this, &ReviewPage::showState);
  connect(&computer_, &RunComputer::computingChanged, this, [this] {
    estimate_.reset();
    since_.start();
    if (!reviewer_.active()) {
      showState();
    }
  });
  connect(&jobs_, &WindowJobs::progressed, this, [this](const Progress& progress) {
    if (!reviewer_.active() && since_.isValid()) {
      estimate_.update(progress, static_cast<double>(since_.elapsed()) / 1000.0);
      showState();
    }
  });
  showState();
}

ReviewPage::~ReviewPage() = default;

QWidget* ReviewPage::makeWork() {
  auto* const work = new QWidget(stack_);
  modes_ = new QStackedWidget(work);
  bar_ = new ReviewBar(reviewer_, features_, work);
  exported_ = new ReviewNotice(QStringLiteral("reviewExported"), work);
  end_ = new ReviewEndNotice(reviewer_, work);
  for (const ModeInfo& info : kModes) {
    ReviewMode* const mode = info.make(reviewer_, jobs_, computer_, modes_);
    modes_->addWidget(mode);
    bar_->addMode(QLatin1String(info.key), tr(info.name), tr(info.tip));
    connect(mode, &ReviewMode::finished, this, [this] { setFocus(); });
    connect(mode, &ReviewMode::modeRequested, this, [this, &info](const QString& wanted) {
      bar_->setOrigin(QLatin1String(info.key));
      showMode(wanted);
    });
    connect(mode, &ReviewMode::aloneChanged, this, [this](bool alone) {
      bar_->setVisible(!alone);
      if (alone) {
        exported_->hide();
        end_->hide();
      } else {
        showEnd();
      }
    });
    connect(mode, &ReviewMode::failed, this, &ReviewPage::failed);
    connect(mode, &ReviewMode::noticed, this, &ReviewPage::noticed);
    connect(mode, &ReviewMode::withdrawn, this, &ReviewPage::withdrawn);
    connect(mode, &ReviewMode::editClassesRequested, this,
            [this](std::optional<std::int64_t> class_id) { sheet().showClasses(class_id); });
  }
  needs_network_ = new ReviewNeedsNetwork(modes_);
  modes_->addWidget(needs_network_);
  connect(needs_network_, &ReviewNeedsNetwork::networkRequested, this,
          &ReviewPage::networkRequested);
  auto* const layout = new QVBoxLayout(work);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(bar_);
  layout->addWidget(exported_);
  layout->addWidget(end_);
  layout->addWidget(modes_, 1);
  for (QWidget* const widget : work->findChildren<QWidget*>()) {
    const bool takes_text = qobject_cast<QLineEdit*>(widget) != nullptr ||
                            qobject_cast<QAbstractSpinBox*>(widget) != nullptr;
    if (widget->focusPolicy() != Qt::NoFocus && !takes_text) {
      widget->installEventFilter(this);
    }
  }
  connect(bar_, &ReviewBar::modeChosen, this, [this] {
    showState();
    reviewer_.showAgain();  // the time spent in another mode does not count
    setFocus();
  });
  connect(bar_, &ReviewBar::backRequested, this, &ReviewPage::goBack);
  connect(bar_, &ReviewBar::keysRequested, this, [this] { sheet().showKeys(); });
  connect(bar_, &ReviewBar::finished, this, [this] { setFocus(); });
  connect(&bar_->exporter(), &ReviewExport::written, this,
          [this](const QString& text, const QString& details) {
            exported_->tell(text, {}, details);
            showEnd();
          });
  for (ReviewNotice* const notice : {exported_, static_cast<ReviewNotice*>(end_)}) {
    connect(notice, &ReviewNotice::dismissed, this, [this] {
      setFocus();
      showEnd();  // which may have waited for the other one
    });
  }
  return work;
}

void ReviewPage::showChosenMode() {
  const int chosen = bar_->modeIndex();
  const QString missing = missingFor(kModes[static_cast<std::size_t>(chosen)].needs,
                                     bar_->nameOf(bar_->mode()), reviewer_);
  needs_network_->setText(missing);
  modes_->setCurrentWidget(missing.isEmpty() ? modes_->widget(chosen) : needs_network_);
}

QWidget* ReviewPage::takeModes() {
  modes_are_elsewhere_ = true;
  return bar_->modesLine();
}

void ReviewPage::showTakenModes() {
  if (modes_are_elsewhere_) {
    bar_->modesLine()->setVisible(reviewer_.active());
  }
  if (!reviewer_.active()) {
    start_->showState(obstacle(), modes_are_elsewhere_);
  }
}

void ReviewPage::returnModes() {
  modes_are_elsewhere_ = false;
  bar_->returnModes();
}

void ReviewPage::goBack() {
  const QString origin = bar_->origin();
  showMode(origin);
  mode().comeBack();
}

QString ReviewPage::obstacle() const {
  const QString obstacle = reviewer_.obstacle();
  if (obstacle.isEmpty() || !computer_.queue().running()) {
    return obstacle;
  }
  const QString left = remainingText(estimate_.remaining());
  return left.isEmpty() ? tr("The network is looking at the images…")
                        : tr("The network is looking at the images… %1").arg(left);
}

void ReviewPage::showState() {
  const bool active = reviewer_.active();
  stack_->setCurrentIndex(active ? 1 : 0);
  showTakenModes();
  if (!active) {
    bar_->setOrigin({});
    start_->showState(obstacle(), modes_are_elsewhere_);
    return;
  }
  showChosenMode();
  bar_->showState(mode());
  mode().showState();
  showEnd();
}

void ReviewPage::showItem() {
  bar_->showHidden();
  if (reviewer_.active()) {
    mode().showItem();
    showEnd();
  }
}

void ReviewPage::showEnd() {
  const bool waits = exported_->isVisible() && height() < kRoomForTwoNotices;
  if (!mode().showsQueue() || waits) {
    end_->hide();
    return;
  }
  end_->follow([this] {
    std::vector<ReviewNotice::Choice> next;
    const QString origin = bar_->origin();
    if (!origin.isEmpty() && origin != bar_->mode()) {
      next.push_back({QStringLiteral("back"), tr("Back to %1").arg(bar_->nameOf(origin)),
                      [this] { goBack(); }});
    }
    for (const ModeInfo& info : kModes) {
      const QString key = QLatin1String(info.key);
      const bool possible = missingFor(info.needs, tr(info.name), reviewer_).isEmpty();
      if (info.follows && possible && key != origin && key != bar_->mode()) {
        next.push_back({key, tr(info.name), [this, key] { showMode(key); }, true});
      }
    }
    next.push_back(
        {QStringLiteral("export"), tr("Export labels"), [this] { bar_->exporter().showMenu(); }});
    return next;
  });
}

ReviewSheet& ReviewPage::sheet() {
  if (sheet_ == nullptr) {
    sheet_ = new ReviewSheet(reviewer_, this);
  }
  return *sheet_;
}

bool ReviewPage::busy() const {
  return reviewer_.busy() || features_.busy() || mode().busy();
}

void ReviewPage::setNextFileName(const QString& name) {
  bar_->exporter().setNextFileName(name);
}

ReviewMode& ReviewPage::mode() const {
  return static_cast<ReviewMode&>(*modes_->currentWidget());
}

void ReviewPage::showMode(const QString& key) {
  bar_->showMode(key);
}

void ReviewPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  setFocus();
}

bool ReviewPage::dismissNotice() {
  for (ReviewNotice* const notice : {exported_, static_cast<ReviewNotice*>(end_)}) {
    if (notice->isVisible()) {
      notice->dismiss();
      return true;
    }
  }
  return false;
}

bool ReviewPage::takeCancel(const QKeyEvent& event) {
  return reviewer_.active() && reviewer_.keys().commandOf(event) == ReviewCommand::kCancel &&
         dismissNotice();
}

QList<QKeySequence> ReviewPage::undoKeys() const {
  return reviewer_.keys().keysOf(ReviewCommand::kUndo);
}

QList<QKeySequence> ReviewPage::redoKeys() const {
  return reviewer_.keys().keysOf(ReviewCommand::kRedo);
}

bool ReviewPage::takeKey(const QKeyEvent& event) {
  const auto command = reviewer_.keys().commandOf(event);
  if (!reviewer_.active()) {
    return false;
  }
  if (command == ReviewCommand::kHide) {
    if (!event.isAutoRepeat()) {
      reviewer_.toggleHidden();
    }
    return true;
  }
  if (command == ReviewCommand::kKeys) {
    sheet().showKeys();
    return true;
  }
  return mode().takeKey(event) || takeCancel(event);
}

bool ReviewPage::eventFilter(QObject* watched, QEvent* event) {
  // Lists and buttons would take a letter or digit for a search in their texts. Enter, Space and
  // arrows are theirs as long as they have the focus.
  if (event->type() == QEvent::KeyPress) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const QString text = key.text();
    const bool is_character = text.size() == 1 && text[0].isPrint() && !text[0].isSpace() &&
                              (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (is_character && takeKey(key)) {
      setFocus();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ReviewPage::keyPressEvent(QKeyEvent* event) {
  if (!takeKey(*event)) {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace dubito
