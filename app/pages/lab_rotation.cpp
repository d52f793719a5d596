// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_rotation.h"

#include <QComboBox>
#include <QHBoxLayout>
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
#include <variant>

#include "app/pages/lab_rotation_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
#include "app/pages/shift_values.h"
#include "app/session/demo.h"
#include "app/session/window_words.h"
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
constexpr int kStepSide = 42;
constexpr int kCancelDelay = 500;  // ms
/// A "1" in the sample, which is turned into other digits.
constexpr int kFirstItem = 2;
constexpr int kWalkTo = 0;
/// Data of the entries for the sample, and of the walk.
constexpr int kSample = -1;
constexpr int kWalk = -1;

/// The options that the controls above the form do not set.
std::vector<Field> formFields(RotationOptions& options) {
  std::vector<Field> fields;
  for (Field& field : options.fields()) {
    const std::string& name = field.info.name;
    if (name != "corruption" && name != "to" && !(name == "end" && options.isWalk())) {
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

/// The demo's model or its dataset.
template <class Member>
Expected<Member> openSample(std::size_t request, RunContext& context) {
  const auto samples = findSamples();
  if (!samples) {
    return fail(ErrorCode::kNotFound,
                "datasets/samples: the sample is not installed with this program; open your own "
                "model and dataset");
  }
  auto opened = openFile(demoRequests(*samples).at(request), context);
  if (!opened) {
    return failWith(opened);
  }
  return std::get<Member>(*std::move(opened));
}

}  // namespace

LabRotation::LabRotation(Workbench& workbench, QWidget* parent)
    : LabView(parent),
      workbench_(workbench),
      session_(workbench.session()),
      job_(workbench.computeThread()) {
  setObjectName(QStringLiteral("labRotation"));
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  connectParts();
  showRunning();
}

LabRotation::~LabRotation() = default;

QWidget* LabRotation::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "rotationSetUpCard", kRotationSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  const auto addList = [&](const char* name, const QString& accessible) {
    auto* const list = new QComboBox(content);
    list->setObjectName(QLatin1String(name));
    list->setAccessibleName(accessible);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    layout->addWidget(list);
    return list;
  };
  const auto addNumber = [&](const QString& name, const char* object, const QString& tip) {
    auto* const row = new QHBoxLayout;
    auto* const label = new QLabel(name, content);
    label->setFixedWidth(kFormLabelWidth);
    auto* const box = new QSpinBox(content);
    box->setObjectName(QLatin1String(object));
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setRange(0, std::numeric_limits<int>::max());
    box->setMinimumWidth(kGrid);  // not as wide as the largest number
    box->setKeyboardTracking(false);
    row->addWidget(label);
    row->addWidget(box, 1);
    layout->addLayout(row);
    return std::pair(label, box);
  };
  set_up->addHeading(tr("Model and image"));
  models_ = addList("rotationModel", tr("Model"));
  datasets_ = addList("rotationDataset", tr("Dataset"));
  item_ = addNumber(tr("Item"), "rotationItem", tr("Number of the image in the dataset")).second;
  set_up->addHeading(tr("Change"));
  changes_ = addList("rotationChange", tr("Change"));
  for (const CorruptionKind kind : allCorruptions()) {
    changes_->addItem(corruptionName(kind), static_cast<int>(kind));
    changes_->setItemData(changes_->count() - 1, corruptionDescription(kind), Qt::ToolTipRole);
  }
  changes_->addItem(tr("walk to another image"), kWalk);
  changes_->setItemData(changes_->count() - 1, tr("blends two images, linearly in the pixels"),
                        Qt::ToolTipRole);
  changes_->setCurrentIndex(changes_->findData(static_cast<int>(options_.kind())));
  std::tie(to_label_, to_) =
      addNumber(tr("To item"), "rotationTo", tr("Number of the image at the end of the walk"));
  to_->setValue(kWalkTo);
  form_ = new OptionsForm(content);
  form_->setObjectName(QStringLiteral("rotationOptions"));
  layout->addWidget(form_);
  seed_ = addNumber(tr("Seed"), "rotationSeed",
                    tr("Decides all dropout masks: the same seed gives the same picture"))
              .second;
  run_ = new QPushButton(content);
  run_->setObjectName(QStringLiteral("rotationRun"));
  layout->addWidget(run_, 0, Qt::AlignLeft);
  status_ = set_up->addText("rotationStatus");
  set_up->addText("rotationFormula")
      ->setText(tr("p = softmax(z): each dot is one pass with dropout, and a draw has the same "
                   "masks at every step. H = entropy of the mean p (total), E[H] = mean entropy "
                   "(aleatoric), MI = H − E[H] (epistemic)."));
  return set_up;
}

QWidget* LabRotation::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  sentence_ = new QLabel(results);
  sentence_->setObjectName(QStringLiteral("rotationSentence"));
  sentence_->setFont(uiFont(TypeSize::kTitle, true));
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(sentence_);
  notes_ = new QLabel(results);
  notes_->setObjectName(QStringLiteral("rotationNotes"));
  notes_->setProperty("role", QStringLiteral("error"));
  notes_->setWordWrap(true);
  notes_->hide();
  layout->addWidget(notes_);
  auto* const plots = new QHBoxLayout;
  plots->setSpacing(2 * kGrid);
  const auto addPlot = [&](Card*& card, CurvePlot*& plot, const QString& title,
                           const QString& name) {
    card = new Card(title, this);
    card->setObjectName(name + QStringLiteral("Card"));
    card->setMinimumHeight(kRotationPlotHeight);
    plot = new CurvePlot(card);
    plot->setObjectName(name);
    card->setContent(plot);
    plots->addWidget(card, 1);
    connect(plot, &PlotBase::failed, this, &LabRotation::failed);
  };
  addPlot(inputs_card_, inputs_, tr("Softmax inputs"), QStringLiteral("rotationInputs"));
  addPlot(outputs_card_, outputs_, tr("Softmax outputs"), QStringLiteral("rotationOutputs"));
  addPlot(uncertainty_card_, uncertainty_, tr("Uncertainty"),
          QStringLiteral("rotationUncertainty"));
  layout->addLayout(plots, 1);
  steps_card_ = new Card(tr("What the network sees"), results);
  steps_card_->setObjectName(QStringLiteral("rotationStepsCard"));
  steps_card_->setFixedHeight(kStripHeight);
  steps_ = new ImageGallery(steps_card_);
  steps_->setObjectName(QStringLiteral("rotationSteps"));
  steps_->setThumbnailSize(kStepSide);
  steps_card_->setContent(steps_);
  connect(&steps_->exporter(), &Exporter::failed, this, &LabRotation::failed);
  layout->addWidget(steps_card_);
  return results;
}

void LabRotation::connectParts() {
  for (QComboBox* const list : {models_, datasets_}) {
    connect(list, &QComboBox::activated, this, [this] {
      showItemRange();
      compute();
    });
  }
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
  if (begun_) {
    showSources();
    return;
  }
  begun_ = true;
  chooseChange();
  showSources();
}

nlohmann::json LabRotation::setUp() const {
  return {
      {"item", item_->value()}, {"seed", seed_->value()}, {"options", labOptionsToJson(options_)}};
}

Status LabRotation::applySetUp(const nlohmann::json& set_up) {
  const auto item = set_up.at("item").get<int>();
  const auto seed = set_up.at("seed").get<int>();
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
  const Source before = chosenSource();
  const bool first = models_->count() == 0;
  models_->clear();
  datasets_->clear();
  for (std::size_t i = 0; i < session_.models().size(); ++i) {
    models_->addItem(session_.models()[i].name, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < session_.datasets().size(); ++i) {
    datasets_->addItem(session_.datasets()[i].name, static_cast<int>(i));
  }
  models_->addItem(tr("LeNet, MNIST (sample)"), kSample);
  datasets_->addItem(tr("MNIST test (sample)"), kSample);
  const auto choose = [first](QComboBox& list, const auto& entries, const auto& wanted,
                              int active) {
    int position = first ? std::max(active, 0) : list.count() - 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      position = wanted(entries[i]) ? static_cast<int>(i) : position;
    }
    list.setCurrentIndex(std::min(position, list.count() - 1));
  };
  choose(
      *models_, session_.models(),
      [&](const ModelEntry& entry) { return before.model && entry.model == before.model; },
      session_.activeModelPosition());
  choose(
      *datasets_, session_.datasets(),
      [&](const DatasetEntry& entry) { return before.dataset && entry.dataset == before.dataset; },
      session_.activeDatasetPosition());
  showItemRange();
  const Source now = chosenSource();
  if (first || now.model != before.model || now.dataset != before.dataset) {
    compute();
  }
}

LabRotation::Source LabRotation::chosenSource() const {
  const auto chosen = [](const QComboBox& list, std::size_t count) {
    const int index = list.currentIndex() < 0 ? kSample : list.currentData().toInt();
    return index >= 0 && static_cast<std::size_t>(index) < count ? index : kSample;
  };
  const int model = chosen(*models_, session_.models().size());
  const int dataset = chosen(*datasets_, session_.datasets().size());
  return {
      model == kSample ? sample_.model : session_.models()[static_cast<std::size_t>(model)].model,
      dataset == kSample ? sample_.dataset
                         : session_.datasets()[static_cast<std::size_t>(dataset)].dataset};
}

void LabRotation::showItemRange() {
  const DatasetPtr dataset = chosenSource().dataset;
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
    error_ = windowText(checked.error().message);
    showResult();
    return;
  }
  JobSettings settings = workbench_.jobSettings();
  settings.seed = static_cast<std::uint64_t>(seed_->value());
  job_.restart<Outcome>(
      tr("Laboratory"), settings,
      [source = chosenSource(), index = item_->value(),
       options = options_](RunContext& context) mutable -> Expected<Outcome> {
        if (!source.model) {
          auto model = openSample<ModelPtr>(0, context);
          if (!model) {
            return failWith(model);
          }
          source.model = *std::move(model);
        }
        if (!source.dataset) {
          auto dataset = openSample<DatasetPtr>(1, context);
          if (!dataset) {
            return failWith(dataset);
          }
          source.dataset = *std::move(dataset);
        }
        auto result = followItem(*source.model, *source.dataset, index, options, context);
        if (!result) {
          return failWith(result);
        }
        return Outcome{source, std::make_shared<const RotationResult>(*std::move(result)), options};
      },
      this, [this](const Expected<Outcome>& outcome) { deliver(outcome); });
  showResult();
}

void LabRotation::deliver(const Expected<Outcome>& outcome) {
  if (outcome) {
    if (models_->currentData().toInt() == kSample) {
      sample_.model = outcome->source.model;
    }
    if (datasets_->currentData().toInt() == kSample) {
      sample_.dataset = outcome->source.dataset;
    }
    result_ = outcome->result;
    shown_options_ = outcome->options;
    showItemRange();
  } else if (outcome.error().code == ErrorCode::kCancelled) {
    error_ = tr("Cancelled; press Run to compute it.");
  } else {
    error_ = windowText(outcome.error().message);
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
  notes_->setText(error_);
  notes_->setVisible(!error_.isEmpty());
  const bool has_result = result_ && error_.isEmpty();
  const QString empty = has_result         ? QString()
                        : error_.isEmpty() ? tr("Running the network…")
                                           : tr("No result");
  for (Card* const card : {inputs_card_, outputs_card_, uncertainty_card_, steps_card_}) {
    card->setEmptyText(empty);
  }
  if (!has_result) {
    sentence_->clear();
    return;
  }
  const RotationResult& result = *result_;
  sentence_->setText(rotationSentence(result, shown_options_));
  const QString caption = rotationCaption(result);
  inputs_->setCurves(softmaxInputs(result, shown_options_));
  outputs_->setCurves(softmaxOutputs(result, shown_options_));
  uncertainty_->setCurves(uncertaintyOnPath(result, shown_options_));
  setCaptions(*inputs_card_, *inputs_, caption);
  setCaptions(*outputs_card_, *outputs_, caption);
  setCaptions(*uncertainty_card_, *uncertainty_, caption);
  steps_->clearThumbnails();
  steps_->setItems(rotationSteps(result, shown_options_));
  for (std::size_t i = 0; i < result.path.images.size(); ++i) {
    steps_->setThumbnail(static_cast<qint64>(i), toQImage(result.path.images[i]));
  }
  steps_card_->setSubtitle(tr("prediction and confidence at each step"));
}

}  // namespace dubito
