// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/train/train_rates.h"
#include "app/train/train_set_up.h"
#include "app/train/train_values.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "core/train/dropout_kind.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/curve_plot.h"
#include "widgets/help_topic.h"
#include "widgets/key_value_list.h"
#include "widgets/muted_label.h"
#include "widgets/number_text.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"

namespace dubito {

TrainPage::TrainPage(Session& session, WindowJobs& jobs, Messages& messages, RunComputer& computer,
                     RecentFiles& recent, QWidget* parent)
    : Page(PageId::kTrain, parent),
      trainer_(session, jobs, messages, computer, recent),
      earlier_(jobs.fileThread()),
      set_up_(new TrainSetUp(session, computer, recent, this)) {
  setObjectName(QStringLiteral("trainPage"));
  auto* const rows = new CardRows(QStringLiteral("trainRows"), this);
  auto* const results = new QVBoxLayout;
  results->setSpacing(2 * kGrid);
  results->addWidget(buildBar());
  results->addWidget(makeCardScroll(rows, this), 1);
  buildPlots(*rows);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(set_up_);
  layout->addLayout(results, 1);
  connectTrainer();
  followBackbone();
  showState();
  showCourse();
}

Card* TrainPage::buildBar() {
  auto* const card = new Card(tr("Training"), this);
  card->setObjectName(QStringLiteral("trainCard"));
  auto* const content = new QWidget(card);
  auto* const bar = new QHBoxLayout(content);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->setSpacing(2 * kGrid);
  const auto add = [&](const QString& text, const char* name, const QString& tooltip) {
    auto* const button = new QPushButton(text, content);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tooltip);
    bar->addWidget(button);
    return button;
  };
  start_ = add(tr("Train"), "trainStart",
               tr("Trains a new head on the features of the backbone, which does not change"));
  start_->setProperty("role", QStringLiteral("primary"));
  stop_ = add(tr("Stop"), "trainStop", tr("Ends the training and keeps the best head so far"));
  cancel_ = add(tr("Cancel"), "trainCancel", tr("Ends the training and keeps nothing"));
  status_ = makeStatusLabel(QStringLiteral("trainStatus"), content);
  bar->addWidget(status_, 1);
  card->setContent(content);
  connect(start_, &QPushButton::clicked, this, &TrainPage::train);
  connect(stop_, &QPushButton::clicked, &trainer_, &HeadTrainer::stop);
  connect(cancel_, &QPushButton::clicked, &trainer_, &HeadTrainer::cancel);
  return card;
}

void TrainPage::buildPlots(CardRows& rows) {
  const auto add = [&](Card*& card, auto*& content, const QString& title, const char* name) {
    card = new Card(title, this);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    content = new std::remove_reference_t<decltype(*content)>(card);
    content->setObjectName(QLatin1String(name));
  };
  add(losses_card_, losses_, tr("Loss"), "trainLosses");
  add(reliability_card_, reliability_, tr("Reliability"), "trainReliability");
  rates_ = new TrainRates(this);
  add(numbers_card_, numbers_, tr("Numbers"), "trainNumbers");
  losses_card_->setContent(losses_);
  reliability_card_->setContent(reliability_);
  auto* const scrolled = new QWidget(numbers_card_);
  auto* const column = new QVBoxLayout(scrolled);
  column->setContentsMargins(0, 0, 3 * kGrid, 0);  // the scroll bar lies over the content
  column->addWidget(numbers_);
  column->addStretch(1);
  numbers_card_->setContent(makeCardScroll(scrolled, numbers_card_));
  numbers_->setTitle(tr("Training"));
  setHelpTopic(*reliability_card_, helpTopicOf(Metric::kEce));
  rows.addRow(1, {{losses_card_, 1}, {reliability_card_, 1}});
  rows.addRow(1, {{rates_, 1}, {numbers_card_, 1}});
  connect(losses_, &PlotBase::failed, this, &TrainPage::failed);
  connect(reliability_, &PlotBase::failed, this, &TrainPage::failed);
  connect(rates_, &TrainRates::failed, this, &TrainPage::failed);
  connect(numbers_, &KeyValueList::failed, this, &TrainPage::failed);
}

void TrainPage::connectTrainer() {
  connect(set_up_, &TrainSetUp::changed, this, &TrainPage::followBackbone);
  connect(set_up_, &TrainSetUp::changed, this, &TrainPage::showState);
  connect(&earlier_, &EarlierDropRates::changed, this, &TrainPage::showRates);
  connect(&earlier_, &EarlierDropRates::failed, this, &TrainPage::failed);
  connect(&trainer_, &HeadTrainer::changed, this, &TrainPage::showState);
  connect(&trainer_, &HeadTrainer::courseChanged, this, &TrainPage::showCourse);
  connect(&trainer_, &HeadTrainer::saved, set_up_, &TrainSetUp::takeFreshPath);
  connect(&trainer_, &HeadTrainer::failed, this, &TrainPage::failed);
  connect(&trainer_, &HeadTrainer::progressed, this, [this](const Progress& progress) {
    const QString stage = QString::fromStdString(progress.stage);
    status_->setText(
        progress.stage == kTrainingHeadStage || progress.total == 0
            ? stage
            : tr("%1: %2 of %3").arg(stage, countText(progress.done), countText(progress.total)));
  });
}

void TrainPage::train() {
  if (!trainer_.training() && set_up_->obstacle().isEmpty()) {
    trainer_.start(set_up_->request());
  }
}

void TrainPage::showState() {
  const bool training = trainer_.training();
  const TrainedHead* const trained = trainer_.trained();
  const QString obstacle = set_up_->obstacle();
  set_up_->setLocked(training);
  start_->setEnabled(!training && obstacle.isEmpty());
  stop_->setEnabled(trainer_.canStop());
  cancel_->setEnabled(training);
  if (!training) {
    status_->setText(!obstacle.isEmpty()                        ? obstacle
                     : trained != nullptr                       ? headSummary(*trained)
                     : trainer_.state() == JobState::kCancelled ? tr("Cancelled; nothing was kept.")
                     : trainer_.state() == JobState::kFailed
                         ? tr("The training failed; nothing was kept.")
                         : tr("The backbone stays as it is; its features are computed once and "
                              "kept."));
  }
  showNumbers();
}

QString TrainPage::captionOf(const QString& rest) const {
  const HeadRequest& request = trainer_.request();
  return QStringLiteral("%1 · %2 · %3")
      .arg(rest, QString::fromStdString(request.backbone->metadata().name),
           QString::fromStdString(request.dataset->info().name));
}

void TrainPage::showCourse() {
  const HeadCourse& course = trainer_.course();
  const bool has_begun = trainer_.request().backbone != nullptr;
  const bool has_epochs = !course.epochs.empty();
  const bool is_direct = has_begun && !trainer_.request().options.isNetwork();
  const QString waiting = !has_begun ? tr("Choose a backbone and a dataset, then press Train")
                                     : tr("Appears with the first epoch");
  losses_card_->setEmptyText(
      has_epochs  ? QString()
      : is_direct ? tr("A single layer without dropout has no epochs: its best weights are found "
                       "directly")
                  : waiting);
  if (has_epochs) {
    losses_->setCurves(headLossCurves(course));
    setCaptions(*losses_card_, *losses_, captionOf(tr("disc: epoch kept")));
  }
  const bool has_validation = has_begun && trainer_.request().options.validation_share > 0.0;
  reliability_card_->setEmptyText(
      course.newest                  ? QString()
      : is_direct                    ? tr("Compute a run with the new model to see its calibration")
      : has_begun && !has_validation ? tr("No items are held out: choose a validation share")
                                     : waiting);
  reliability_card_->setFigure({});
  if (course.newest) {
    reliability_->setDiagram(*course.newest);
    reliability_card_->setFigure(tr("ECE %1").arg(shareText(course.newest->ece)),
                                 QString::fromStdString(course.newest->convention));
    setCaptions(*reliability_card_, *reliability_,
                tr("validation items, N %1 · epoch %2 · %3")
                    .arg(countText(course.newest->total), countText(course.epochs.back().epoch),
                         QString::fromStdString(course.newest->convention)));
  }
  showRates();
  showNumbers();
}

void TrainPage::followBackbone() {
  earlier_.setModel(set_up_->backbone());
}

void TrainPage::showRates() {
  const HeadRequest& request = trainer_.request();
  const ModelPtr chosen = set_up_->backbone();
  // A training keeps its place until the user turns to another network.
  const bool of_training =
      request.backbone && (trainer_.training() || request.backbone == chosen || !chosen);
  if (!of_training && !earlier_.course().empty()) {
    rates_->setCourse(
        earlier_.course(),
        tr("%1, as it was trained").arg(QString::fromStdString(chosen->metadata().name)));
    return;
  }
  const HeadCourse& course = trainer_.course();
  if (of_training && !course.drop_rates.empty()) {
    rates_->setCourse(
        course.drop_rates,
        captionOf(tr("%1 dropout").arg(QString::fromStdString(request.options.dropout))));
    return;
  }
  const bool learns = of_training && learnsRates(dropoutKindOf(request.options.dropout));
  rates_->setNothing(
      learns        ? tr("Appears with the first epoch")
      : of_training ? tr("Drop rates are learned with the dropout concrete or multi")
                    : tr("Shows how drop rates are learned: choose the dropout concrete or multi"),
      learns && course.epochs.empty());
}

void TrainPage::showNumbers() {
  std::vector<KeyValue> values = headNumbers(trainer_.course(), trainer_.trained());
  numbers_card_->setEmptyText(values.empty() ? tr("Accuracy, loss and ECE appear here")
                                             : QString());
  numbers_->setValues(std::move(values));
}

}  // namespace dubito
