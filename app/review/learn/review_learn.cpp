// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/learn/review_learn.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/review/learn/review_learn_values.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

/// More classes are counted together.
constexpr std::size_t kListedLearned = 100;

}  // namespace

ReviewLearn::ReviewLearn(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                         QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer), learner_(reviewer, jobs, computer) {
  auto* const card = new Card(tr("Learn from your labels"), this);
  card->setObjectName(QStringLiteral("reviewLearnCard"));
  card->setSubtitle(
      tr("the network learns to tell the classes apart; how it looks at images stays"));
  card->setContent(makeControls());
  labels_card_ = new Card(tr("Labels to learn from"), this);
  labels_card_->setObjectName(QStringLiteral("reviewLearnLabelsCard"));
  labels_card_->setContent(makeLabels());
  curve_card_ = new Card(tr("Learning curve"), this);
  curve_card_->setObjectName(QStringLiteral("reviewLearningCurveCard"));
  curve_ = new CurvePlot(curve_card_);
  curve_->setObjectName(QStringLiteral("reviewLearningCurve"));
  curve_card_->setContent(curve_);
  auto* const rows = new CardRows(QStringLiteral("reviewLearnRows"), this);
  rows->addRow(1, {{card, 1, {labels_card_}}, {curve_card_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);

  connect(&learner_, &Learner::changed, this, &ReviewLearn::showAll);
  connect(&learner_, &Learner::progressed, this, &ReviewLearn::showProgress);
  connect(&learner_, &Learner::learned, this, &ReviewLearn::takeLearned);
  connect(&learner_, &Learner::failed, this, &ReviewMode::failed);
  connect(curve_, &PlotBase::failed, this, &ReviewMode::failed);
  showAll();
}

QWidget* ReviewLearn::makeLabels() {
  auto* const content = new QWidget(this);
  labels_ = new KeyValueList(content);
  labels_->setObjectName(QStringLiteral("reviewLearnLabels"));
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(labels_);
  layout->addStretch(1);
  return makeCardScroll(content, this);
}

QWidget* ReviewLearn::makeControls() {
  auto* const content = new QWidget(this);
  const auto label = [content](const char* name) {
    auto* const made = new WrappedLabel(content);
    made->setObjectName(QLatin1String(name));
    return made;
  };
  const auto button = [content](const char* name, const QString& text) {
    auto* const made = new QPushButton(text, content);
    made->setObjectName(QLatin1String(name));
    made->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  text_ = label("reviewLearnText");
  verdict_ = label("reviewLearnVerdict");
  result_ = new KeyValueList(content);
  result_->setObjectName(QStringLiteral("reviewLearnResult"));
  stage_ = label("reviewLearnStage");
  stage_->setProperty("role", QStringLiteral("muted"));
  progress_ = new QProgressBar(content);
  progress_->setObjectName(QStringLiteral("reviewLearnProgress"));
  progress_->setTextVisible(false);
  learn_ = button("reviewLearnStart", tr("Learn from these labels"));
  learn_->setProperty("role", QStringLiteral("primary"));
  use_ = button("reviewLearnUse", tr("Sort the images by what it has learned"));
  use_->setProperty("role", QStringLiteral("primary"));
  show_ = button("reviewLearnShow", tr("Show them"));
  show_->setToolTip(tr("Opens One by one with the images in their new order"));
  show_->hide();
  cancel_ = button("reviewLearnCancel", tr("Cancel"));
  place_ = label("reviewLearnPlace");
  place_->setProperty("role", QStringLiteral("muted"));
  place_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addWidget(learn_);
  buttons->addWidget(use_);
  buttons->addWidget(show_);
  buttons->addWidget(cancel_);
  buttons->addStretch(1);
  auto* const told = new QWidget(content);
  auto* const told_layout = new QVBoxLayout(told);
  told_layout->setContentsMargins(0, 0, 0, 0);
  told_layout->setSpacing(2 * kGrid);
  told_layout->addWidget(text_);
  told_layout->addWidget(verdict_);
  told_layout->addWidget(result_);
  told_layout->addStretch(1);
  told_layout->addWidget(place_);
  // In a low window the texts are scrolled; the buttons stay.
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(makeCardScroll(told, content), 1);
  layout->addWidget(progress_);
  layout->addWidget(stage_);
  layout->addLayout(buttons);
  connect(learn_, &QPushButton::clicked, this, [this] {
    learner_.start();
    Q_EMIT finished();
  });
  connect(use_, &QPushButton::clicked, this, &ReviewLearn::use);
  connect(show_, &QPushButton::clicked, this,
          [this] { Q_EMIT modeRequested(QStringLiteral("single")); });
  connect(cancel_, &QPushButton::clicked, this, [this] {
    learner_.cancel();
    Q_EMIT finished();
  });
  return content;
}

bool ReviewLearn::takeKey(const QKeyEvent& /*event*/) {
  return false;
}

void ReviewLearn::showAll() {
  showLabels();
  showControls();
  showResult();
  showCurve();
}

void ReviewLearn::showLabels() {
  const LearningBasisPtr& basis = learner_.basis();
  labels_card_->setEmptyText(basis ? QString() : tr("Computing…"));
  if (!basis) {
    labels_card_->setSubtitle({});
    return;
  }
  labels_card_->setSubtitle(
      tr("%1 of persons · %2 classes")
          .arg(labelsCount(basis->labels), countText(std::ssize(basis->classes))));
  std::vector<KeyValue> values;
  std::int64_t others = 0;
  for (std::size_t i = 0; i < basis->classes.size(); ++i) {
    const LabelledClass& one = basis->classes[i];
    if (i < kListedLearned) {
      values.push_back({QString::fromStdString(one.name), countText(one.labels), {}, {}});
    } else {
      others += one.labels;
    }
  }
  if (others > 0) {
    values.push_back({tr("other classes"), countText(others), {}, {}});
  }
  if (basis->without_class > 0) {
    values.push_back({tr("without a class"),
                      countText(basis->without_class),
                      {},
                      tr("None of the classes is right, or nobody can tell: nothing can be learned "
                         "from them")});
  }
  if (values.empty()) {
    labels_card_->setEmptyText(tr("You have given no image a class yet."));
  }
  labels_->setValues(std::move(values));
}

void ReviewLearn::showControls() {
  const LearningBasisPtr& basis = learner_.basis();
  const QString obstacle = learner_.obstacle();
  const bool learning = learner_.learning();
  const bool ready = learner_.ready() != nullptr && !learning;
  learn_->setEnabled(basis && !learning && obstacle.isEmpty());
  learn_->setVisible(!ready);
  use_->setVisible(ready);
  show_->setVisible(!ready && !learning && sorted_for_ && sorted_for_ == reviewer_.analysis());
  for (QWidget* const widget : {static_cast<QWidget*>(cancel_), static_cast<QWidget*>(progress_),
                                static_cast<QWidget*>(stage_)}) {
    widget->setVisible(learning);
  }
  if (learning && !progress_->isVisible()) {
    progress_->setRange(0, 0);
    stage_->clear();
  }
  if (ready) {
    text_->setText(
        tr("The network has learned from %1. Your images keep their order until you sort "
           "them again.")
            .arg(labelsCount(learner_.ready()->round.labels)));
  } else if (!obstacle.isEmpty()) {
    text_->setText(obstacle);
  } else if (basis) {
    text_->setText(tr("The network learns from %1 of persons and then looks at all images again. "
                      "When it is done, the images are sorted anew: what it is still unsure about "
                      "comes first. Nothing that you have decided changes, but what Automatic "
                      "counts on images in random order must then be reviewed again: the network "
                      "has changed.")
                       .arg(labelsCount(basis->labels)));
  } else {
    text_->clear();
  }
  place_->setText(tr("What it has learned is saved in %1").arg(learner_.folder()));
}

void ReviewLearn::showResult() {
  const LearningBasisPtr& basis = learner_.basis();
  std::vector<KeyValue> values;
  if (basis && !basis->rounds.empty()) {
    const LearningRound& newest = newestRound(basis->rounds);
    values.push_back({tr("labels learned from, last time"), countText(newest.labels), {}, {}});
    values.push_back(
        {tr("right about labels held out"), rightText(newest.held_out), {}, heldOutTip()});
    if (newest.given.items > 0) {
      values.push_back(
          {tr("right about the given labels"), rightText(newest.given), {}, givenTip()});
    }
  }
  verdict_->setText(basis ? verdictText(basis->rounds) : QString());
  verdict_->setVisible(!verdict_->text().isEmpty());
  result_->setVisible(!values.empty());
  result_->setValues(std::move(values));
}

void ReviewLearn::showCurve() {
  const LearningBasisPtr& basis = learner_.basis();
  curve_card_->setEmptyText(
      !basis ? tr("Computing…")
      : basis->rounds.empty()
          ? tr("Each time the network learns adds a point here: how often it is "
               "right, and from how many labels.")
          : QString());
  if (!basis || basis->rounds.empty()) {
    setCaptions(*curve_card_, *curve_, {});
    return;
  }
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.curves.push_back(
      learningCurve(tr("your labels, held out"), basis->rounds, &LearningRound::held_out, -1, 0));
  StyledCurve given = learningCurve(tr("given labels"), basis->rounds, &LearningRound::given, 2, 1);
  if (!given.curve.x.empty()) {
    value.curves.push_back(std::move(given));
  }
  value.x_is_share = false;
  value.x_label = tr("labels learned from");
  value.x_short = tr("labels");
  value.y_label = tr("right");
  value.interval_name = tr("95 % interval");
  curve_->setCurves(std::move(value));
  setCaptions(*curve_card_, *curve_,
              tr("%1 · bars: exact 95 % intervals · labels are held out once each")
                  .arg(QString::fromStdString(basis->analysis->in().name)));
}

void ReviewLearn::showProgress(const Progress& progress) {
  progress_->setRange(0, progress.total > 0 ? 1000 : 0);
  if (progress.total > 0) {
    progress_->setValue(static_cast<int>(1000 * progress.done / progress.total));
  }
  stage_->setText(stageText(progress.stage));
}

void ReviewLearn::use() {
  const std::int64_t labels = learner_.ready()->round.labels;
  learner_.use();
  sorted_for_ = reviewer_.analysis();
  showControls();
  const auto kind = queueOfKey(reviewer_.reviewQueue().key());
  Q_EMIT noticed(tr("The network has learned from %1. The images are sorted again by what it says "
                    "now: %2.")
                     .arg(labelsCount(labels),
                          QString::fromStdString(kind ? describe(*kind).name : std::string())));
  Q_EMIT finished();
}

void ReviewLearn::takeLearned() {
  if (isVisible()) {
    use();
  } else if (learner_.ready() != nullptr) {
    Q_EMIT noticed(tr("The network has learned from %1. Your images keep their order; on the tab "
                      "Learn you can sort them again.")
                       .arg(labelsCount(learner_.ready()->round.labels)));
  }
}

}  // namespace dubito
