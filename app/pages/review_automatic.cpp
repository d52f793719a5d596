// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_automatic.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/pages/plot_caption.h"
#include "app/panels/words.h"
#include "core/review/reviewed_sample.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

// In percent.
constexpr double kLowestTarget = 80.0;
constexpr double kHighestTarget = 99.9;
constexpr int kAuditSample = 100;
constexpr int kLargestAudit = 100'000;
/// A case in 1 / delta breaks the promise.
constexpr std::array<int, 4> kCases = {10, 20, 100, 1000};

QString percent(double share) {
  return QStringLiteral("%1 %").arg(QString::number(100.0 * share, 'g', 4));
}

QString imagesText(std::int64_t count) {
  return count == 1 ? ReviewAutomatic::tr("1 image")
                    : ReviewAutomatic::tr("%1 images").arg(countText(count));
}

QLabel* mutedLabel(QWidget* parent, const char* name) {
  auto* const label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setProperty("role", QStringLiteral("muted"));
  label->setWordWrap(true);
  return label;
}

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
    : ReviewMode(parent), reviewer_(reviewer), labeller_(reviewer), auditor_(reviewer) {
  auto* const card = new Card(tr("Let the network label"), this);
  card->setObjectName(QStringLiteral("reviewAutomaticCard"));
  card->setSubtitle(tr("what it is sure about; the rest is left to you"));
  card->setContent(makeControls());
  curve_card_ = new Card(tr("How many labels are right"), this);
  curve_card_->setObjectName(QStringLiteral("reviewRetainedCard"));
  curve_ = new CurvePlot(curve_card_);
  curve_->setObjectName(QStringLiteral("reviewRetained"));
  curve_card_->setContent(curve_);
  auto* const audit_card = new Card(tr("Check the network's labels"), this);
  audit_card->setObjectName(QStringLiteral("reviewAuditCard"));
  audit_card->setContent(makeAudit());
  auto* const rows = new CardRows(QStringLiteral("reviewAutomaticRows"), this);
  rows->addRow(1, {{card, 1, {audit_card}}, {curve_card_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);

  connect(&labeller_, &Autolabeller::sourcesChanged, this, &ReviewAutomatic::showSources);
  connect(&labeller_, &Autolabeller::previewChanged, this, &ReviewAutomatic::showPreview);
  connect(&labeller_, &Autolabeller::failed, this, &ReviewMode::failed);
  connect(&labeller_, &Autolabeller::labelled, this, [this](qint64 items) {
    Q_EMIT noticed(tr("The network has labelled %1 images. Ctrl+Z takes them all back.")
                       .arg(countText(items)));
  });
  connect(&auditor_, &Auditor::changed, this, &ReviewAutomatic::showAudit);
  connect(&auditor_, &Auditor::failed, this, &ReviewMode::failed);
  connect(curve_, &PlotBase::failed, this, &ReviewMode::failed);
  auditor_.setTarget(labeller_.target());
}

QWidget* ReviewAutomatic::makeControls() {
  auto* const content = new QWidget(this);
  target_ = new ValueSlider(tr("Right labels (%)"), content);
  target_->setObjectName(QStringLiteral("reviewTarget"));
  target_->setToolTip(tr("Share of the network's labels that must be right"));
  target_->setRange({kLowestTarget, kHighestTarget, false, false});
  target_->setValue(100.0 * labeller_.target());
  delta_ = chooser(content, "reviewDelta", tr("How often the promise may fail"));
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
  measure_ = chooser(content, "reviewMeasure", tr("How sure the network is"));
  source_ = chooser(content, "reviewSource", tr("What the threshold is chosen on"));
  source_->setToolTip(tr("Images with known labels that show how often the network is wrong"));
  source_note_ = mutedLabel(content, "reviewSourceNote");
  numbers_ = new KeyValueList(content);
  numbers_->setObjectName(QStringLiteral("reviewAutomaticNumbers"));
  obstacle_ = new QLabel(content);
  obstacle_->setObjectName(QStringLiteral("reviewAutomaticObstacle"));
  obstacle_->setWordWrap(true);
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
  form->addRow(tr("The promise may fail"), delta_);
  form->addRow(tr("How sure, measured by"), measure_);
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
  layout->addWidget(obstacle_);
  layout->addSpacing(kGrid);
  layout->addLayout(buttons);
  layout->addStretch(1);

  const auto follow = [this](double value) {
    labeller_.setTarget(value / 100.0);
    auditor_.setTarget(value / 100.0);
  };
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
    reviewer_.setOnlyRows({});
    reviewer_.setQueue(kRandomQueue);
    Q_EMIT modeRequested(QStringLiteral("single"));
  });
  return content;
}

QWidget* ReviewAutomatic::makeAudit() {
  auto* const content = new QWidget(this);
  audit_text_ = new QLabel(content);
  audit_text_->setObjectName(QStringLiteral("reviewAuditText"));
  audit_text_->setWordWrap(true);
  audit_numbers_ = new KeyValueList(content);
  audit_numbers_->setObjectName(QStringLiteral("reviewAuditNumbers"));
  auto* const size_name = new QLabel(tr("Images to check"), content);
  audit_size_ = new QSpinBox(content);
  audit_size_->setObjectName(QStringLiteral("reviewAuditSize"));
  audit_size_->setAccessibleName(size_name->text());
  audit_size_->setRange(1, kLargestAudit);
  audit_size_->setValue(kAuditSample);
  size_name->setBuddy(audit_size_);
  audit_open_ = new QPushButton(content);
  audit_open_->setObjectName(QStringLiteral("reviewAuditOpen"));
  audit_open_->setToolTip(tr("Opens One by one with labels of the network in random order"));
  auto* const line = new QHBoxLayout;
  line->setSpacing(2 * kGrid);
  line->addWidget(audit_open_);
  line->addSpacing(2 * kGrid);
  line->addWidget(size_name);
  line->addWidget(audit_size_);
  line->addStretch(1);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(audit_text_);
  layout->addWidget(audit_numbers_);
  layout->addSpacing(kGrid);
  layout->addLayout(line);
  layout->addStretch(1);
  connect(audit_size_, &QSpinBox::valueChanged, this,
          [this](int size) { auditor_.setSample(size); });
  connect(audit_open_, &QPushButton::clicked, this, [this] {
    auditor_.open();
    Q_EMIT modeRequested(QStringLiteral("single"));
  });
  return content;
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
    if (info.sense == MeasureSense::kApproximationIsWorse || !shown_->in().has(measure)) {
      continue;
    }
    measure_->addItem(measureName(measure), static_cast<int>(measure));
    measure_->setItemData(measure_->count() - 1, QString::fromUtf8(info.what_it_is),
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
  int unsuitable = 0;
  for (const CalibrationSource& source : labeller_.sources()) {
    if (!source.analysis) {
      source_->addItem(tr("images that you reviewed in random order"));
      continue;
    }
    const AnalysisPart& part = source.analysis->in();
    const QString name =
        tr("%1 on %2 (%3)")
            .arg(QString::fromStdString(source.analysis->name), QString::fromStdString(part.name),
                 countText(part.run->itemCount()));
    if (source.obstacle.isEmpty()) {
      source_->addItem(name);
    } else {
      ++unsuitable;
      source_->addItem(tr("%1: not possible, %2").arg(name, source.obstacle));
      auto* const model = qobject_cast<QStandardItemModel*>(source_->model());
      model->item(source_->count() - 1)->setEnabled(false);
    }
    source_->setItemData(source_->count() - 1, source_->itemText(source_->count() - 1),
                         Qt::ToolTipRole);
  }
  source_->setCurrentIndex(static_cast<int>(labeller_.source()));
  source_note_->setVisible(unsuitable > 0);
  if (unsuitable > 0) {
    const auto& first = *std::ranges::find_if(
        labeller_.sources(), [](const CalibrationSource& one) { return !one.obstacle.isEmpty(); });
    source_note_->setText(
        unsuitable == 1
            ? tr("%1 cannot be used: %2.")
                  .arg(QString::fromStdString(first.analysis->name), first.obstacle)
            : tr("%1 open runs cannot be used; the list says why.").arg(countText(unsuitable)));
  }
}

void ReviewAutomatic::showPreview() {
  const AutolabelPreviewPtr preview = labeller_.preview();
  label_->setEnabled(preview && preview->fresh > 0 && !labeller_.writing());
  if (!preview) {
    label_->setText(tr("Let the network label"));
    numbers_->setValues({});
    obstacle_->clear();
    sample_more_->hide();
    curve_card_->setEmptyText(tr("Computing…"));
    return;
  }
  const bool all_done = preview->plan.labelled() > 0 && preview->fresh == 0;
  label_->setText(labeller_.writing() ? tr("Labelling…")
                  : all_done ? tr("All %1 are labelled").arg(imagesText(preview->plan.labelled()))
                             : tr("Let the network label %1").arg(imagesText(preview->fresh)));
  showNumbers(*preview);
  showCurve(*preview);
}

QString ReviewAutomatic::timeText(std::int64_t images) const {
  const auto rate = reviewer_.decisionsPerMinute();
  if (!rate) {
    return tr("known after a few decisions");
  }
  const double minutes = static_cast<double>(images) / *rate;
  return minutes < 1.0    ? tr("less than a minute")
         : minutes < 90.0 ? tr("about %1 min").arg(qRound(minutes))
                          : tr("about %1 h").arg(shortText(minutes / 60.0, 2));
}

std::int64_t ReviewAutomatic::stillNeeded(const AutolabelPreview& preview) const {
  if (!labeller_.usesReviewed() || !preview.items_needed ||
      *preview.items_needed > preview.plan.items) {
    return 0;
  }
  return std::max<std::int64_t>(*preview.items_needed - labeller_.calibrationCount(), 1);
}

QString ReviewAutomatic::obstacleText(const AutolabelPreview& preview) const {
  const Selection& selection = preview.plan.selection;
  if (selection.threshold) {
    return {};
  }
  const QString target = percent(labeller_.target());
  const std::int64_t known = labeller_.calibrationCount();
  if (!preview.items_needed) {
    return tr("%1 cannot be promised: the network is wrong too often even about the images it is "
              "surest of. Choose a lower share of right labels.")
        .arg(target);
  }
  if (!labeller_.usesReviewed()) {
    return tr("%1 cannot be promised: these %2 labelled images are too few, about %3 are needed. "
              "Choose a lower share, or a run over more images.")
        .arg(target, countText(known), countText(*preview.items_needed));
  }
  if (const std::int64_t needed = stillNeeded(preview); needed > 0) {
    return (known == 0
                ? tr("For a promise of %1, first review %2 images in random order: they "
                     "show how often the network is wrong.")
                      .arg(target)
                : tr("For a promise of %1, review %2 more images in random order.").arg(target))
        .replace(QStringLiteral("%2"), countText(needed));
  }
  return tr("%1 cannot be promised: about %2 images would have to be reviewed, more than there "
            "are. "
            "Choose a lower share, or open a run over other labelled images.")
      .arg(target, countText(*preview.items_needed));
}

void ReviewAutomatic::showNumbers(const AutolabelPreview& preview) {
  const Autolabel& plan = preview.plan;
  const Selection& selection = plan.selection;
  std::vector<KeyValue> values;
  if (selection.threshold) {
    const auto labelled = static_cast<double>(plan.labelled());
    const double share = plan.items > 0 ? labelled / static_cast<double>(plan.items) : 0.0;
    const double observed = selection.selected > 0 ? static_cast<double>(selection.errors) /
                                                         static_cast<double>(selection.selected)
                                                   : 0.0;
    values.push_back({tr("labelled by the network"),
                      tr("%1 of %2").arg(countText(plan.labelled()), countText(plan.items)),
                      QStringLiteral("· ") + shareText(share),
                      tr("%1 at most %2 %3")
                          .arg(measureName(labeller_.measure()), shortText(*selection.threshold),
                               measureUnit(labeller_.measure()))});
    values.push_back({tr("wrong labels to expect"),
                      tr("about %1").arg(countText(std::llround(observed * labelled))),
                      {},
                      tr("%1 of the %2 calibration images that the threshold selects are wrong")
                          .arg(countText(selection.errors), countText(selection.selected))});
    values.push_back(
        {tr("wrong labels, promised"),
         tr("at most %1").arg(countText(std::llround(std::floor(plan.expectedErrors())))),
         QStringLiteral("· ") + shareText(selection.upper_error),
         tr("The bound holds on average over images like these, except in 1 of %1 cases")
             .arg(countText(std::llround(1.0 / labeller_.delta())))});
  }
  if (plan.labelled_before > 0) {
    values.push_back({tr("labelled by it earlier"),
                      imagesText(plan.labelled_before),
                      {},
                      tr("Labels above the present threshold, which stay as they are")});
  }
  values.push_back({tr("left for you"), imagesText(plan.queued), {}, {}});
  values.push_back({tr("time for these"), timeText(plan.queued), {}, {}});
  if (preview.skipped > 0) {
    values.push_back({tr("skipped in random order"),
                      imagesText(preview.skipped),
                      {},
                      tr("They count as wrong until you decide about them, because leaving out "
                         "what is difficult would make the promise too good")});
  }
  numbers_->setValues(std::move(values));
  obstacle_->setText(obstacleText(preview));
  obstacle_->setVisible(!obstacle_->text().isEmpty());
  const std::int64_t needed = stillNeeded(preview);
  sample_more_->setVisible(needed > 0);
  sample_more_->setText(labeller_.calibrationCount() == 0
                            ? tr("Review %1 images in random order").arg(countText(needed))
                            : tr("Review %1 more images in random order").arg(countText(needed)));
  label_->setVisible(needed == 0);
}

void ReviewAutomatic::showCurve(const AutolabelPreview& preview) {
  const Curve& curve = preview.accuracy_by_share;
  curve_card_->setEmptyText(
      curve.x.empty() ? tr("Images reviewed in random order will show here how often the network "
                           "is right")
                      : QString());
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  StyledCurve shown{.curve = curve};
  shown.curve.name = tr("right labels").toStdString();
  shown.curve.summary = std::nan("");
  value.curves.push_back(std::move(shown));
  StyledCurve promised{.curve = {.name = tr("promised").toStdString(),
                                 .x = {0.0, 1.0},
                                 .y = {labeller_.target(), labeller_.target()},
                                 .summary = std::nan("")},
                       .dash = 1,
                       .role = StyledCurve::Role::kReference};
  value.curves.push_back(std::move(promised));
  value.x_label = tr("share labelled by the network");
  value.y_label = tr("right labels");
  curve_->setCurves(std::move(value));
  const Selection& selection = preview.plan.selection;
  curve_->setMarker(selection.threshold && selection.selected > 0
                        ? std::optional(QPointF(static_cast<double>(selection.selected) /
                                                    static_cast<double>(selection.items),
                                                1.0 - static_cast<double>(selection.errors) /
                                                          static_cast<double>(selection.selected)))
                        : std::nullopt);
  curve_card_->setFigure(selection.threshold ? tr("%1 promised").arg(percent(labeller_.target()))
                                             : QString());
  setCaptions(*curve_card_, *curve_,
              tr("%1 calibration images, surest first · ring: what is labelled")
                  .arg(countText(labeller_.calibrationCount())));
}

void ReviewAutomatic::showAudit() {
  const Audit& audit = auditor_.audit();
  const AuditOptions& options = auditor_.options();
  QString text = auditText(audit, options);
  const auto needed = rightAnswersNeeded(audit, options);
  if (audit.labelled > 0 && !audit.precision && needed) {
    text += QLatin1Char(' ') +
            tr("At least %1 must be checked to show that %2 are right.")
                .arg(countText(std::min(*needed, audit.labelled)), percent(options.target));
  }
  audit_text_->setText(text);
  std::vector<KeyValue> values;
  if (audit.labelled > 0) {
    values = {{tr("right"), countText(audit.right), {}, {}},
              {tr("wrong"), countText(audit.wrong), {}, {}},
              {tr("can't tell"),
               countText(audit.unclear),
               {},
               tr("They count neither as right nor as wrong")},
              {tr("still to check"), countText(audit.open), {}, {}}};
  }
  if (audit.precision) {
    values.push_back({tr("share of right labels"),
                      shareText(*audit.precision),
                      {},
                      exactText(*audit.precision)});
    values.push_back(
        {tr("with %1 % confidence").arg(qRound(100.0 * options.confidence)),
         tr("%1 to %2").arg(shareText(audit.interval.low), shareText(audit.interval.high)),
         {},
         tr("Exact interval (Clopper and Pearson)")});
  }
  audit_numbers_->setValues(std::move(values));
  const auto size = static_cast<std::int64_t>(audit.sample.size());
  audit_open_->setEnabled(audit.open > 0);
  audit_open_->setText(
      audit.open == size || audit.open == 0
          ? tr("Check a random sample of %1").arg(countText(size > 0 ? size : options.sample))
          : tr("Check %1 more").arg(countText(audit.open)));
}

}  // namespace dubito
