// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/automatic/review_automatic.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/review/automatic/review_automatic_values.h"
#include "app/review/results/review_audit.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "core/review/reviewed_sample.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/muted_label.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

/// A case in 1 / delta breaks the guarantee.
constexpr std::array<int, 4> kCases = {10, 20, 100, 1000};

QComboBox* chooser(QWidget* parent, const char* name, const QString& meaning) {
  auto* const box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(meaning);
  // Long names of runs must not widen the card.
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(16);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return box;
}

}  // namespace

ReviewAutomatic::ReviewAutomatic(Reviewer& reviewer, QWidget* parent)
    : ReviewMode(parent),
      reviewer_(reviewer),
      labeller_(reviewer),
      auditor_(reviewer.reviewQueue(), reviewer.file()) {
  auto* const card = new Card(tr("Label automatically"), this);
  card->setObjectName(QStringLiteral("reviewAutomaticCard"));
  card->setSubtitle(tr("what is certain enough; the rest is left to you"));
  card->setContent(makeControls());
  curve_card_ = new Card(tr("How many labels are right"), this);
  curve_card_->setObjectName(QStringLiteral("reviewRetainedCard"));
  curve_ = new CurvePlot(curve_card_);
  curve_->setObjectName(QStringLiteral("reviewRetained"));
  curve_card_->setContent(curve_);
  auto* const audit_card = new Card(tr("Check the automatic labels"), this);
  audit_card->setObjectName(QStringLiteral("reviewAuditCard"));
  auto* const audit = new ReviewAudit(auditor_, audit_card);
  audit_card->setContent(audit);
  auto* const rows = new CardRows(QStringLiteral("reviewAutomaticRows"), this);
  rows->addRow(1, {{card, 1}, {curve_card_, 1, {audit_card}}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);

  connect(&labeller_, &Autolabeller::sourcesChanged, this, &ReviewAutomatic::showSources);
  connect(&labeller_, &Autolabeller::previewChanged, this, &ReviewAutomatic::showPreview);
  connect(&labeller_, &Autolabeller::failed, this, &ReviewMode::failed);
  connect(&labeller_, &Autolabeller::labelled, this, &ReviewAutomatic::announce);
  const LabelFile& file = reviewer_.file();
  connect(&file, &LabelFile::recorded, this, [this](const std::vector<std::int64_t>& items) {
    const PresentLabel* const first =
        items.empty() ? nullptr : reviewer_.file().labelOf(items.front());
    if (first == nullptr || first->origin != LabelOrigin::kModel) {
      withdrawAnnounced();
    }
  });
  connect(&file, &LabelFile::stepReverted, this, &ReviewAutomatic::withdrawAnnounced);
  connect(&file, &LabelFile::changed, this, &ReviewAutomatic::withdrawAnnounced);
  connect(&file, &LabelFile::opened, this, &ReviewAutomatic::withdrawAnnounced);
  connect(audit, &ReviewAudit::opened, this,
          [this] { Q_EMIT modeRequested(QStringLiteral("single")); });
  connect(&auditor_, &Auditor::failed, this, &ReviewMode::failed);
  connect(curve_, &PlotBase::failed, this, &ReviewMode::failed);
  connect(curve_, &CurvePlot::levelMoved, this, &ReviewAutomatic::dragTarget);
  connect(curve_, &CurvePlot::levelReleased, this, &ReviewAutomatic::dragTarget);
  auditor_.setTarget(labeller_.target());
}

QWidget* ReviewAutomatic::makeControls() {
  auto* const content = new QWidget(this);
  target_ = new ValueSlider(tr("Right labels (%)"), content);
  target_->setObjectName(QStringLiteral("reviewTarget"));
  target_->setToolTip(tr("Share of the automatic labels that must be right"));
  target_->setRange({kTargetRange.low, kTargetRange.high, false, false});
  target_->setValue(100.0 * labeller_.target());
  delta_ = chooser(content, "reviewDelta", tr("How often the guarantee may fail"));
  for (const int cases : kCases) {
    delta_->addItem(tr("in at most 1 of %1 cases").arg(countText(cases)), 1.0 / cases);
    delta_->setItemData(delta_->count() - 1,
                        tr("δ = %1: if you did this many times, each time with other calibration "
                           "images, the share of right labels would be too low in at most 1 of %2 "
                           "cases")
                            .arg(1.0 / cases)
                            .arg(countText(cases)),
                        Qt::ToolTipRole);
  }
  delta_->setCurrentIndex(delta_->findData(labeller_.delta()));
  measure_ = chooser(content, "reviewMeasure", tr("The score by which images are chosen"));
  source_ = chooser(content, "reviewSource", tr("Images on which mistakes are counted"));
  source_->setToolTip(
      tr("Images with known labels that show how often suggestions are wrong "
         "(calibration images)"));
  source_note_ = makeMutedLabel(QStringLiteral("reviewSourceNote"), content);
  numbers_ = new KeyValueList(content);
  numbers_->setObjectName(QStringLiteral("reviewAutomaticNumbers"));
  guarantee_ = new WrappedLabel(content);
  guarantee_->setObjectName(QStringLiteral("reviewAutomaticGuarantee"));
  obstacle_ = new WrappedLabel(content);
  obstacle_->setObjectName(QStringLiteral("reviewAutomaticObstacle"));
  label_ = new QPushButton(content);
  label_->setObjectName(QStringLiteral("reviewAutomaticLabel"));
  label_->setProperty("role", QStringLiteral("primary"));
  sample_more_ = new QPushButton(content);
  sample_more_->setObjectName(QStringLiteral("reviewSampleMore"));
  sample_more_->setToolTip(tr("Opens One by one; come back here afterwards"));

  auto* const form = new QFormLayout;
  form->setHorizontalSpacing(3 * kGrid);
  form->setVerticalSpacing(2 * kGrid);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form->addRow(tr("The guarantee may fail"), delta_);
  form->addRow(tr("Score"), measure_);
  form->addRow(tr("Mistakes counted on"), source_);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addWidget(label_);
  buttons->addWidget(sample_more_);
  buttons->addStretch(1);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(target_);
  layout->addLayout(form);
  layout->addWidget(source_note_);
  layout->addSpacing(kGrid);
  layout->addWidget(numbers_);
  layout->addWidget(guarantee_);
  layout->addWidget(obstacle_);
  layout->addSpacing(kGrid);
  layout->addLayout(buttons);
  layout->addStretch(1);

  const auto follow = [this](double percent) { setTarget(percent / 100.0); };
  connect(target_, &ValueSlider::moved, this, follow);
  connect(target_, &ValueSlider::settled, this, follow);
  connect(delta_, &QComboBox::activated, this,
          [this] { labeller_.setDelta(delta_->currentData().toDouble()); });
  connect(measure_, &QComboBox::activated, this,
          [this] { labeller_.setMeasure(static_cast<Measure>(measure_->currentData().toInt())); });
  connect(source_, &QComboBox::activated, this,
          [this](int index) { labeller_.setSource(static_cast<std::size_t>(index)); });
  connect(label_, &QPushButton::clicked, &labeller_, &Autolabeller::write);
  connect(sample_more_, &QPushButton::clicked, this, [this] {
    const std::int64_t needed = labeller_.preview() ? stillNeeded(labeller_) : 0;
    reviewer_.reviewQueue().setOnlyRows({});
    reviewer_.reviewQueue().choose(kRandomQueue, needed);
    Q_EMIT modeRequested(QStringLiteral("single"));
  });
  return makeCardScroll(content, this);
}

void ReviewAutomatic::announce(std::int64_t images) {
  withdrawAnnounced();
  announced_ = countedText(images, tr("%1 image was labelled. Ctrl+Z takes it back."),
                           tr("%1 images were labelled. Ctrl+Z takes them all back."));
  Q_EMIT noticed(announced_);
}

void ReviewAutomatic::withdrawAnnounced() {
  if (!announced_.isEmpty()) {
    Q_EMIT withdrawn(std::exchange(announced_, {}));
  }
}

void ReviewAutomatic::setTarget(double target) {
  labeller_.setTarget(target);
  auditor_.setTarget(target);
}

void ReviewAutomatic::dragTarget(double target) {
  // A tenth of a percent, the precision of the field.
  const double rounded = std::round(1000.0 * target) / 1000.0;
  target_->setValue(100.0 * rounded);
  setTarget(rounded);
}

// --- state ---------------------------------------------------------------------------------------

void ReviewAutomatic::showState() {
  if (shown_ != reviewer_.analysis()) {
    shown_ = reviewer_.analysis();
    fillMeasures();
  }
  showItem();
  showPreview();
}

void ReviewAutomatic::showItem() {
  labeller_.refresh();
  auditor_.refresh();
}

bool ReviewAutomatic::takeKey(const QKeyEvent& /*event*/) {
  return false;
}

void ReviewAutomatic::fillMeasures() {
  measure_->clear();
  for (const Measure measure : allMeasures()) {
    const MeasureInfo& info = describe(measure);
    // The score of one class says nothing about the others.
    const bool is_known =
        measure == Measure::kConfidence || !reviewer_.suggestsLabels() || reviewer_.hasAllScores();
    if (info.sense == MeasureSense::kApproximationIsWorse || !shown_->in().has(measure) ||
        !is_known) {
      continue;
    }
    measure_->addItem(reviewer_.suggestsLabels() && measure == Measure::kConfidence
                          ? tr("the score that came with the label")
                          : sureWords(measure),
                      static_cast<int>(measure));
    measure_->setItemData(measure_->count() - 1,
                          tr("%1: %2").arg(measureName(measure), measureFormula(measure)),
                          Qt::ToolTipRole);
  }
  const int known = measure_->findData(static_cast<int>(labeller_.measure()));
  measure_->setCurrentIndex(std::max(known, 0));
  if (known < 0 && measure_->count() > 0) {
    labeller_.setMeasure(static_cast<Measure>(measure_->currentData().toInt()));
  }
}

void ReviewAutomatic::showSources() {
  const QSignalBlocker blocker(source_);
  source_->clear();
  for (const CalibrationSource& source : labeller_.sources()) {
    const QString text = sourceText(source);
    source_->addItem(text);
    source_->setItemData(source_->count() - 1, text, Qt::ToolTipRole);
    if (!source.obstacle.isEmpty()) {
      auto* const model = qobject_cast<QStandardItemModel*>(source_->model());
      model->item(source_->count() - 1)->setEnabled(false);
    }
  }
  source_->setCurrentIndex(static_cast<int>(labeller_.source()));
  source_note_->setText(unusableText(labeller_.sources()));
  source_note_->setVisible(!source_note_->text().isEmpty());
}

void ReviewAutomatic::showPreview() {
  const AutolabelPreviewPtr preview = labeller_.preview();
  label_->setEnabled(preview && preview->fresh > 0 && !labeller_.writing());
  if (!preview) {
    label_->setText(tr("Label automatically"));
    numbers_->setValues({});
    guarantee_->clear();
    obstacle_->clear();
    sample_more_->hide();
    curve_card_->setEmptyText(tr("Computing…"));
    return;
  }
  const bool all_done = preview->plan.labelled() > 0 && preview->fresh == 0;
  label_->setText(labeller_.writing() ? tr("Labelling…")
                  : all_done ? tr("All %1 are labelled").arg(imagesText(preview->plan.labelled()))
                  : preview->fresh == 0 ? tr("Label automatically")
                                        : tr("Label %1").arg(imagesText(preview->fresh)));
  showNumbers();
  showCurve();
}

void ReviewAutomatic::showNumbers() {
  numbers_->setValues(automaticNumbers(labeller_, reviewer_.decisionsPerMinute()));
  guarantee_->setText(guaranteeText(labeller_));
  guarantee_->setVisible(!guarantee_->text().isEmpty());
  obstacle_->setText(obstacleText(labeller_));
  obstacle_->setVisible(!obstacle_->text().isEmpty());
  const std::int64_t needed = stillNeeded(labeller_);
  sample_more_->setVisible(needed > 0);
  sample_more_->setEnabled(needed <= labeller_.preview()->plan.queued);
  sample_more_->setText(labeller_.calibrationCount() == 0
                            ? countedText(needed, tr("Review %1 image in random order"),
                                          tr("Review %1 images in random order"))
                            : tr("Review %1 more images in random order").arg(countText(needed)));
  label_->setVisible(needed == 0);
}

void ReviewAutomatic::showCurve() {
  CurvePlotValue value = retainedCurve(labeller_);
  curve_card_->setEmptyText(
      value.curves.front().curve.x.empty()
          ? tr("Images reviewed in random order will show here how often suggestions are right")
          : QString());
  curve_->setCurves(std::move(value));
  curve_->setMarker(retainedPoint(labeller_));
  curve_card_->setFigure(labeller_.preview()->plan.selection.threshold
                             ? tr("%1 guaranteed").arg(percentText(labeller_.target()))
                             : QString());
  setCaptions(*curve_card_, *curve_,
              tr("drag the dashed line · circle: what is labelled · %1 images with known labels, "
                 "surest first")
                  .arg(countText(labeller_.calibrationCount())));
}

}  // namespace dubito
