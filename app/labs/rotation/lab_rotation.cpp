// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/rotation/lab_rotation.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/rotation/lab_rotation_source.h"
#include "app/labs/rotation/lab_rotation_values.h"
#include "app/session/error_text.h"
#include "app/shift/shift_values.h"
#include "app/workbench/run_computer.h"
#include "core/base/json_integer.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kRotationSetUpWidth = 76 * kGrid;
constexpr int kRotationPlotHeight = 60 * kGrid;
constexpr int kStripHeight = 38 * kGrid;
/// Of the images of the strip, so small that the usual number fits into one row.
constexpr int kStepSide = 56;
constexpr int kCancelDelay = 500;  // ms
/// A "1" in the sample, which is turned into other digits.
constexpr int kFirstItem = 2;
constexpr int kWalkTo = 0;
/// Data of the entry of the walk.
constexpr int kWalk = -1;

/// The options that the controls above the form do not set.
std::vector<Field> formFields(RotationOptions& options) {
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [&](const Field& field) {
    const std::string& name = field.info.name;
    return name == "corruption" || name == "to" || (name == "end" && options.isWalk());
  });
  return fields;
}

}  // namespace

LabRotation::LabRotation(const LabParts& parts, QWidget* parent)
    : LabView(parent),
      session_(parts.session),
      computer_(parts.computer),
      job_(parts.jobs.computeThread()) {
  setObjectName(QStringLiteral("labRotation"));
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  showRunning();
}

QWidget* LabRotation::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "rotationSetUpCard", kRotationSetUpWidth, this);
  set_up->addHeading(tr("Model and image"));
  sources_ = new LabRotationSource(*set_up, session_);
  item_ = set_up->addNumber(tr("Item"), "rotationItem", tr("Number of the image in the dataset"))
              .second;
  set_up->addHeading(tr("Change"));
  changes_ = set_up->addList(tr("Change"), "rotationChange");
  changes_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const CorruptionKind kind : allCorruptions()) {
    changes_->addItem(corruptionName(kind), static_cast<int>(kind));
    changes_->setItemData(changes_->count() - 1, corruptionDescription(kind), Qt::ToolTipRole);
  }
  changes_->addItem(tr("walk to another image"), kWalk);
  changes_->setItemData(changes_->count() - 1, tr("blends two images, linearly in the pixels"),
                        Qt::ToolTipRole);
  changes_->setCurrentIndex(changes_->findData(static_cast<int>(options_.kind())));
  std::tie(to_label_, to_) = set_up->addNumber(tr("To item"), "rotationTo",
                                               tr("Number of the image at the end of the walk"));
  to_->setValue(kWalkTo);
  form_ = set_up->addForm("rotationOptions");
  seed_ = set_up
              ->addNumber(tr("Seed"), "rotationSeed",
                          tr("Decides all dropout masks: the same seed gives the same picture"))
              .second;
  for (QSpinBox* const box : {item_, to_, seed_}) {
    box->setKeyboardTracking(false);
  }
  run_ = new QPushButton(set_up->body());
  run_->setObjectName(QStringLiteral("rotationRun"));
  set_up->rows().addWidget(run_, 0, Qt::AlignLeft);
  status_ = set_up->addText("rotationStatus");
  set_up->addText("rotationFormula")
      ->setText(tr("p = softmax(z): each dot is one pass with dropout, and a draw has the same "
                   "masks at every step. H = entropy of the mean p (total), E[H] = mean entropy "
                   "(aleatoric), MI = H − E[H] (epistemic)."));
  return set_up;
}

QWidget* LabRotation::buildResults() {
  auto* const results = new LabResults(this);
  sentence_ = results->addSentence("rotationSentence");
  notes_ = results->addNotes("rotationNotes");
  inputs_ = makeCard<CurvePlot>(tr("Softmax inputs"), "rotationInputs");
  outputs_ = makeCard<CurvePlot>(tr("Softmax outputs"), "rotationOutputs");
  uncertainty_ = makeCard<CurvePlot>(tr("Uncertainty"), "rotationUncertainty");
  results->addCards({inputs_.card, outputs_.card, uncertainty_.card}, kRotationPlotHeight);
  steps_card_ = new Card(tr("What the network sees"), results);
  steps_card_->setObjectName(QStringLiteral("rotationStepsCard"));
  steps_card_->setFixedHeight(kStripHeight);
  steps_ = new ImageGallery(steps_card_);
  steps_->setObjectName(QStringLiteral("rotationSteps"));
  steps_->setThumbnailSize(kStepSide);
  steps_card_->setContent(steps_);
  connect(&steps_->exporter(), &Exporter::failed, this, &LabRotation::failed);
  results->rows().addWidget(steps_card_);
  return results;
}

void LabRotation::connectParts() {
  connect(sources_, &LabRotationSource::changed, this, [this] {
    showItemRange();
    compute();
  });
  for (QSpinBox* const box : {item_, to_, seed_}) {
    connect(box, &QSpinBox::valueChanged, this, [this] {
      if (options_.isWalk()) {
        options_.to = to_->value();
      }
      compute();
    });
  }
  connect(changes_, &QComboBox::activated, this, [this] {
    chooseChange();
    compute();
  });
  connect(form_, &OptionsForm::edited, this, [this] {
    if (form_->check()) {
      compute();
    }
  });
  patience_.setObjectName(QStringLiteral("rotationPatience"));
  patience_.setSingleShot(true);
  patience_.setInterval(kCancelDelay);
  connect(&patience_, &QTimer::timeout, this, [this] { showRunning(status_->text()); });
  connect(run_, &QPushButton::clicked, this, [this] { busy() ? job_.cancel() : compute(); });
  connect(&job_, &Job::stateChanged, this, [this] { showRunning(); });
  connect(&job_, &Job::progressChanged, this, [this](const Progress& progress) {
    showRunning(tr("draw %1 of %2").arg(progress.done).arg(progress.total));
  });
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (begun_ && isVisible()) {
      showSources();
    }
  });
}

void LabRotation::begin() {
  if (!std::exchange(begun_, true)) {
    chooseChange();
  }
  showSources();
}

nlohmann::json LabRotation::setUp() const {
  return {
      {"item", item_->value()}, {"seed", seed_->value()}, {"options", labOptionsToJson(options_)}};
}

Status LabRotation::applySetUp(const nlohmann::json& set_up) {
  const auto item = integerFrom<int>(set_up.at("item"));
  const auto seed = integerFrom<int>(set_up.at("seed"));
  if (Status read = readLabOptions(set_up.at("options"), options_); !read) {
    return read;
  }
  begun_ = true;
  showSources();
  const QSignalBlocker item_blocker(item_);
  const QSignalBlocker to_blocker(to_);
  const QSignalBlocker seed_blocker(seed_);
  item_->setValue(item);
  seed_->setValue(seed);
  to_->setValue(static_cast<int>(options_.to.value_or(kWalkTo)));
  changes_->setCurrentIndex(
      changes_->findData(options_.isWalk() ? kWalk : static_cast<int>(options_.kind())));
  showChange();
  compute();
  return {};
}

void LabRotation::showSources() {
  const bool changed = sources_->reload();
  showItemRange();
  if (changed) {
    compute();
  }
}

void LabRotation::showItemRange() {
  const DatasetPtr dataset = sources_->chosen().dataset;
  for (QSpinBox* const box : {item_, to_}) {
    const QSignalBlocker blocker(box);
    const int last = dataset ? static_cast<int>(std::min<std::int64_t>(
                                   dataset->size() - 1, std::numeric_limits<int>::max()))
                             : std::numeric_limits<int>::max();
    if (box == item_ && !result_ && !busy()) {
      box->setValue(kFirstItem);
    }
    box->setRange(0, std::max(last, 0));
  }
}

void LabRotation::chooseChange() {
  const int chosen = changes_->currentData().toInt();
  options_.end.reset();
  if (chosen == kWalk) {
    options_.to = to_->value();
  } else {
    options_.to.reset();
    options_.corruption = toString(static_cast<CorruptionKind>(chosen));
  }
  showChange();
}

void LabRotation::showChange() {
  to_label_->setVisible(options_.isWalk());
  to_->setVisible(options_.isWalk());
  form_->setFields(formFields(options_));
}

void LabRotation::compute() {
  job_.abandon();
  patience_.start();
  error_.clear();
  if (const Status checked = options_.check(); !checked) {
    error_ = errorText(checked.error());
    showResult();
    return;
  }
  JobSettings settings = computer_.jobSettings();
  settings.seed = static_cast<std::uint64_t>(seed_->value());
  job_.restart<Outcome>(
      tr("Laboratory"), settings,
      [chosen = sources_->chosen(), index = item_->value(),
       options = options_](RunContext& context) -> Expected<Outcome> {
        auto source = loadedSource(chosen, context);
        if (!source) {
          return failWith(source);
        }
        auto result = followItem(*source->model, *source->dataset, index, options, context);
        if (!result) {
          return failWith(result);
        }
        return Outcome{*source, std::make_shared<const RotationResult>(*std::move(result)),
                       options};
      },
      this, [this](const Expected<Outcome>& outcome) { deliver(outcome); });
  showResult();
}

void LabRotation::deliver(const Expected<Outcome>& outcome) {
  if (outcome) {
    sources_->keepSample(outcome->source);
    result_ = outcome->result;
    shown_options_ = outcome->options;
    showItemRange();
  } else if (outcome.error().code == ErrorCode::kCancelled) {
    error_ = tr("Cancelled; press Run to compute it.");
  } else {
    error_ = errorText(outcome.error());
  }
  showResult();
}

void LabRotation::showRunning(const QString& progress) {
  const bool can_cancel = busy() && !patience_.isActive();
  run_->setText(can_cancel ? tr("Cancel") : tr("Run"));
  run_->setEnabled(can_cancel || !busy());
  status_->setText(busy() ? progress : QString());
}

void LabRotation::showResult() {
  showNotes(*notes_, error_);
  const bool has_result = result_ && error_.isEmpty();
  const QString empty = has_result         ? QString()
                        : error_.isEmpty() ? tr("Running the network…")
                                           : tr("No result");
  setEmptyText({inputs_.card, outputs_.card, uncertainty_.card, steps_card_}, empty);
  if (!has_result) {
    sentence_->clear();
    return;
  }
  const RotationResult& result = *result_;
  sentence_->setText(rotationSentence(result, shown_options_));
  const QString caption = rotationCaption(result);
  showIn(inputs_, softmaxInputs(result, shown_options_), caption);
  showIn(outputs_, softmaxOutputs(result, shown_options_), caption);
  showIn(uncertainty_, uncertaintyOnPath(result, shown_options_), caption);
  steps_->clearThumbnails();
  steps_->setItems(rotationSteps(result, shown_options_));
  for (std::size_t i = 0; i < result.path.images.size(); ++i) {
    steps_->setThumbnail(static_cast<qint64>(i), toQImage(result.path.images[i]));
  }
  steps_card_->setSubtitle(tr("prediction and confidence at each step"));
}

}  // namespace dubito
