// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/model_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/compute/unmet_options.h"
#include "app/session/error_text.h"
#include "app/session/network_view.h"
#include "core/models/guessed_preprocessing.h"
#include "widgets/image_view.h"
#include "widgets/muted_label.h"
#include "widgets/options_form.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kPreviewSide = 38 * kGrid;
constexpr int kTypingPause = 150;  // ms

}  // namespace

ModelPanel::ModelPanel(Session& session, FileOpener& opener, QWidget* parent)
    : SetupPanel("modelPanel", tr("Preprocessing"), parent),
      opener_(opener),
      session_(session),
      preview_job_(preview_thread_) {
  setObjectName(QStringLiteral("modelPanel"));
  QVBoxLayout* const inner = contentLayout();
  QWidget* const content = inner->parentWidget();
  source_ = makeMutedLabel(QStringLiteral("modelPanelSource"), content);
  inner->addWidget(source_);
  buildPreview(*inner);
  preset_ = new QComboBox(content);
  preset_->setObjectName(QStringLiteral("presetChooser"));
  preset_->setAccessibleName(tr("Preset"));
  preset_->setPlaceholderText(tr("Preset for scale, mean and std…"));
  for (const ValuePreset& preset : valuePresets()) {
    preset_->addItem(QString::fromStdString(preset.name));
  }
  preset_->setCurrentIndex(-1);
  inner->addWidget(preset_);
  form_ = new OptionsForm(content);
  form_->setObjectName(QStringLiteral("preprocessingForm"));
  inner->addWidget(form_);
  auto* const classes_title =
      makeLabel("title", QStringLiteral("classNamesTitle"), content, tr("Class names"));
  classes_ = new QPlainTextEdit(content);
  classes_->setObjectName(QStringLiteral("classNames"));
  classes_->setAccessibleName(tr("Class names"));
  classes_->setPlaceholderText(tr("one per line, in the order of the network's outputs"));
  classes_->setTabChangesFocus(true);
  classes_->setFixedHeight(32 * kGrid);
  inner->addWidget(classes_title);
  inner->addWidget(classes_);

  problem_ = makeLabel("error", QStringLiteral("modelPanelProblem"), this);
  problem_->hide();
  addBelow(problem_);
  save_ = addButtons(tr("Save and apply"), "savePreprocessing", "closeModelPanel");

  pause_.setSingleShot(true);
  pause_.setInterval(kTypingPause);
  connect(&pause_, &QTimer::timeout, this, &ModelPanel::preview);
  connect(preset_, &QComboBox::activated, this, &ModelPanel::applyPreset);
  connect(form_, &OptionsForm::edited, this, &ModelPanel::refresh);
  connect(form_, &OptionsForm::validChanged, this, &ModelPanel::refresh);
  connect(classes_, &QPlainTextEdit::textChanged, this, &ModelPanel::refresh);
  connect(save_, &QPushButton::clicked, this, &ModelPanel::saveEdits);
  const auto look = [this] {
    if (isVisible()) {
      pause_.start();
    }
  };
  connect(&session_.listing(), &ItemListing::primaryChanged, this, look);
  connect(&session_, &Session::browsedChanged, this, look);
  connect(&session_, &Session::workspaceChanged, this, &ModelPanel::follow);
  connect(&opener_, &FileOpener::metadataSaved, this,
          [this](const ModelPtr& before, const ModelPtr& now) {
            if (model_ == before || model_ == now) {
              edit(now);
            }
          });
}

ModelPanel::~ModelPanel() {
  form_->clearFields();
}

void ModelPanel::buildPreview(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  auto* const grid = new QGridLayout;
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(kGrid);
  const auto add = [&](int column, const QString& text, const char* name) {
    auto* const label = makeMutedLabel({}, parent, text);
    auto* const view = new ImageView(parent);
    view->setObjectName(QLatin1String(name));
    view->setFixedSize(kPreviewSide, kPreviewSide);
    view->setEmptyText(tr("no image"));
    grid->addWidget(label, 0, column);
    grid->addWidget(view, 1, column);
    return view;
  };
  stored_ = add(0, tr("as stored"), "previewStored");
  network_input_ = add(1, tr("as the network sees it"), "previewSeen");
  grid->setColumnStretch(2, 1);
  layout.addLayout(grid);
  values_ = makeMutedLabel(QStringLiteral("previewValues"), parent);
  layout.addWidget(values_);
}

void ModelPanel::edit(const ModelPtr& model) {
  model_ = model;
  is_closed_ = false;
  form_->clearFields();
  const bool has_model = model != nullptr;
  form_->setVisible(has_model);
  if (!has_model) {
    setTarget(tr("Open a model first"));
    source_->clear();
    refresh();
    unedited_ = edit_;
    return;
  }
  edit_ = PreprocessingEdit::of(*model);
  form_->setFields(edit_.fields());
  const QSignalBlocker blocker(classes_);
  QStringList names;
  for (const std::string& name : edit_.classes) {
    names << QString::fromStdString(name);
  }
  classes_->setPlainText(names.join(u'\n'));
  preset_->setCurrentIndex(-1);
  const ModelMetadata& metadata = model->metadata();
  setTarget(QString::fromStdString(metadata.name));
  const QString guessed = QString::fromStdString(guessedPreprocessing(model->audit().notes));
  showMessage(
      *source_,
      guessed.isEmpty()
          ? tr("From: %1").arg(metadataSourceText(metadata))
          : tr("Guessed: %1. If the model was trained with different values, its results are "
               "wrong. Check the values below, then save.")
                    .arg(guessed) +
                (metadata.preprocessing.height == 0 && model->audit().input_shape.size() == 3
                     ? tr(" Height and width 0: images are used in the size in which they are "
                          "stored.")
                     : QString()),
      !guessed.isEmpty());
  refresh();
  unedited_ = edit_;
}

void ModelPanel::follow() {
  if (!model_ || is_closed_) {
    return;
  }
  const std::vector<ModelEntry>& open = session_.models();
  if (std::ranges::find(open, model_, &ModelEntry::model) != open.end()) {
    return;
  }
  // The same file with other metadata: edit() follows when they are saved.
  const auto same_file = std::ranges::find(
      open, model_->path(), [](const ModelEntry& entry) { return entry.model->path(); });
  if (same_file != open.end()) {
    model_ = same_file->model;
    return;
  }
  is_closed_ = true;
  Q_EMIT closed();
}

QString ModelPanel::unsavedEdits() const {
  return model_ && edit_ != unedited_ ? tr("The preprocessing of %1 was edited and not saved.")
                                            .arg(QString::fromStdString(model_->path()))
                                      : QString();
}

bool ModelPanel::canSaveEdits() const {
  return save_->isEnabled();
}

void ModelPanel::applyPreset(int preset) {
  const ValuePreset& values = valuePresets()[static_cast<std::size_t>(preset)];
  edit_.scale = values.scale;
  edit_.mean = values.mean;
  edit_.std = values.std;
  form_->reload();
  refresh();
}

void ModelPanel::refresh() {
  showUnmetOptions(edit_.fields(), *form_);
  edit_.classes.clear();
  for (const QString& line : classes_->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
    edit_.classes.push_back(line.trimmed().toStdString());
  }
  QString problem;
  if (model_) {
    const Status fields = form_->check();
    const auto read = edit_.preprocessing();
    const auto classes = static_cast<std::int64_t>(edit_.classes.size());
    problem = !fields ? errorText(fields.error())
              : !read ? errorText(read.error())
              : classes > 0 && classes != model_->audit().classes &&
                      edit_.output_tensor == PreprocessingEdit::of(*model_).output_tensor
                  ? tr("%1 class names for %2 outputs; name all or none")
                        .arg(classes)
                        .arg(model_->audit().classes)
                  : QString();
  }
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  save_->setEnabled(model_ && problem.isEmpty());
  pause_.start();
}

std::pair<DatasetPtr, std::int64_t> ModelPanel::currentItem() const {
  if (session_.browsed()) {
    return {session_.browsed(), session_.browsedItem()};
  }
  const AnalysisPtr analysis = session_.activeAnalysis();
  const auto item = session_.listing().primary();
  if (analysis && item && analysis->partOf(*item).dataset) {
    const std::int64_t index =
        analysis->partOf(*item).dataset_index[static_cast<std::size_t>(item->row)];
    if (index >= 0) {
      return {analysis->partOf(*item).dataset, index};
    }
  }
  return {session_.activeDataset(), session_.browsedItem()};
}

void ModelPanel::preview() {
  const auto [dataset, index] = currentItem();
  const auto preprocessing = edit_.preprocessing();
  if (!model_ || !dataset || !preprocessing || index >= dataset->size()) {
    preview_job_.abandon();
    stored_->setImage(QImage());
    network_input_->setImage(QImage());
    values_->setText(dataset ? QString() : tr("Open images to preview the network input"));
    return;
  }
  preview_job_.submit<NetworkView>(
      tr("Preview"), {},
      [of = dataset, at = index, preprocessing](RunContext&) {
        return networkView(*of, at, *preprocessing);
      },
      this,
      [this](const Expected<NetworkView>& view) {
        if (!view) {
          network_input_->setImage(QImage());
          values_->setText(errorText(view.error()));
          return;
        }
        const auto show = [](ImageView& into, const std::optional<Image8>& image) {
          image ? into.setImage(*image) : into.setImage(QImage());
        };
        show(*stored_, view->stored);
        show(*network_input_, view->input);
        values_->setText(tr("Network input: %1 values from %2 to %3, mean %4")
                             .arg(QString::fromStdString(view->shape), shortText(view->low),
                                  shortText(view->high), shortText(view->mean)));
      });
}

bool ModelPanel::previewSettled() const {
  return !pause_.isActive() && !preview_job_.busy();
}

void ModelPanel::saveEdits() {
  const auto metadata = edit_.metadata(model_->metadata());
  if (metadata) {
    opener_.saveModelMetadata(model_, *metadata);
  }
}

void ModelPanel::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  pause_.start();
}

}  // namespace dubito
