// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/labs_page.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/explore/inspector/logits_of_item.h"
#include "app/jobs/window_jobs.h"
#include "app/labs/bandit/lab_bandit.h"
#include "app/labs/classification/lab_classification.h"
#include "app/labs/dropout_rate/lab_dropout_rate.h"
#include "app/labs/figures/lab_figures.h"
#include "app/labs/lab_player.h"
#include "app/labs/lab_topic.h"
#include "app/labs/lab_values.h"
#include "app/labs/lab_view.h"
#include "app/labs/referral/lab_referral.h"
#include "app/labs/regression/lab_regression.h"
#include "app/labs/rotation/lab_rotation.h"
#include "app/labs/sampler/lab_sampler.h"
#include "app/labs/samples/lab_samples.h"
#include "app/labs/simplex/lab_simplex.h"
#include "app/labs/stories/lab_stories.h"
#include "app/labs/stories/story_bar.h"
#include "app/labs/uci/lab_uci.h"
#include "app/session/error_text.h"
#include "app/workbench/run_computer.h"
#include "core/labs/preset/lab_preset.h"
#include "widgets/fitting_tab_bar.h"
#include "widgets/help_topic.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

LabView* makeView(Laboratory laboratory, const LabParts& parts, QWidget* parent) {
  switch (laboratory) {
    case Laboratory::kRegressionMethods:
      return new LabRegression(parts, parent);
    case Laboratory::kClassificationMethods:
      return new LabClassification(parts, parent);
    case Laboratory::kSampler:
      return new LabSampler(parts, parent);
    case Laboratory::kSimplex:
      return new LabSimplex(parts, parent);
    case Laboratory::kSamples:
      return new LabSamples(parts, parent);
    case Laboratory::kDropoutRate:
      return new LabDropoutRate(parts, parent);
    case Laboratory::kRotation:
      return new LabRotation(parts, parent);
    case Laboratory::kBandit:
      return new LabBandit(parts, parent);
    case Laboratory::kReferral:
      return new LabReferral(parts, parent);
    case Laboratory::kUci:
      return new LabUci(parts, parent);
  }
  throw std::logic_error("LabsPage: unknown laboratory");
}

/// "Samplers. Markov chains that ...", of a laboratory or a figure.
QString explained(const QString& name, const char* explanation) {
  return QStringLiteral("%1. %2").arg(name, labText(explanation));
}

/// Number of its tab.
std::size_t indexOf(Laboratory laboratory) {
  return static_cast<std::size_t>(&describe(laboratory) - laboratories().data());
}

}  // namespace

LabsPage::LabsPage(const Parts& parts, QWidget* parent)
    : Page(PageId::kLabs, parent),
      parts_(parts),
      item_job_(parts.jobs.computeThread()),
      views_(laboratories().size(), nullptr),
      defaults_(laboratories().size()) {
  setObjectName(QStringLiteral("labsPage"));
  tabs_ = new FittingTabBar(this);
  tabs_->setObjectName(QStringLiteral("labTabs"));
  tabs_->setAccessibleName(tr("Laboratories"));
  tabs_->setFocusPolicy(Qt::TabFocus);
  for (const LaboratoryInfo& info : laboratories()) {
    const int tab = tabs_->addTab(labText(info.tab));
    tabs_->setTabToolTip(tab, explained(labText(info.name), info.explanation));
  }
  explanation_ = new WrappedLabel(this);
  explanation_->setObjectName(QStringLiteral("labsExplanation"));
  explanation_->setProperty("role", QStringLiteral("muted"));
  story_ = new StoryBar(parts.settings, this);
  stack_ = new QStackedWidget(this);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  auto* const top = new QHBoxLayout;
  top->setSpacing(2 * kGrid);
  top->addWidget(tabs_, 1);
  reset_ = new QPushButton(tr("Defaults"), this);
  reset_->setObjectName(QStringLiteral("labDefaults"));
  reset_->setToolTip(tr("Show this laboratory as it is at first: data, methods, options, seed"));
  top->addWidget(makeFileButton());
  layout->addLayout(top);
  auto* const below = new QHBoxLayout;
  below->setSpacing(2 * kGrid);
  below->addWidget(explanation_, 1);
  below->addWidget(reset_, 0, Qt::AlignTop);
  layout->addLayout(below);
  layout->addWidget(story_);
  layout->addWidget(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &LabsPage::showChosen);
  connect(reset_, &QPushButton::clicked, this, &LabsPage::showDefaults);
  connect(story_, &StoryBar::stepShown, this, &LabsPage::showStoryStep);
  connect(story_, &StoryBar::ended, this, &LabsPage::showDescription);
}

LabsPage::~LabsPage() {
  // Their jobs refer to the worker thread, a member.
  delete stack_;
}

std::size_t LabsPage::shownIndex() const {
  return static_cast<std::size_t>(tabs_->currentIndex());
}

void LabsPage::showLaboratory(Laboratory laboratory) {
  tabs_->setCurrentIndex(static_cast<int>(indexOf(laboratory)));
}

void LabsPage::sendItem(const AnalysisPtr& analysis, ItemRef item) {
  showLaboratory(Laboratory::kSimplex);
  item_job_.restart<LogitsOfItem>(
      tr("Laboratory"), parts_.computer.jobSettings(),
      [analysis, item](RunContext& context) { return logitsOfItem(*analysis, item, context); },
      this,
      [this](const Expected<LogitsOfItem>& logits) {
        if (logits) {
          deliverItem(*logits);
        } else if (logits.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(logits.error()));
        }
      });
}

void LabsPage::deliverItem(const LogitsOfItem& item) {
  constexpr std::size_t kMaxClasses = 3;
  const std::vector<std::size_t> classes = likeliestClasses(item.gaussian, kMaxClasses);
  QStringList names;
  for (const std::size_t k : classes) {
    names << QString::fromStdString(item.class_names[k]);
  }
  SentGaussian sent;
  sent.name = QString::fromStdString(item.name);
  sent.all = item.gaussian;
  sent.likeliest = marginalOf(item.gaussian, classes);
  sent.explanation = tr("Item %1. Classes 1 to %2: %3.")
                         .arg(sent.name)
                         .arg(classes.size())
                         .arg(names.join(QStringLiteral(", ")));
  if (item.class_names.size() > classes.size()) {
    sent.explanation += tr(" They are the likeliest of %1, with their probabilities renormalised.")
                            .arg(item.class_names.size());
  }
  if (item.has_only_variances) {
    sent.explanation +=
        tr(" The run stores no covariances, and its posterior is not open: they are taken as 0.");
  }
  gaussian_.send(std::move(sent));
  showLaboratory(Laboratory::kSimplex);
  showChosen();
}

LabView& LabsPage::shownLaboratory() {
  showChosen();
  return viewOf(shownIndex());
}

bool LabsPage::busy() const {
  const LabView* const shown = views_[shownIndex()];
  return isActive(item_job_.state()) || (shown != nullptr && shown->busy());
}

std::vector<ScreenshotStep> LabsPage::screenshots() {
  constexpr int kShownSeconds = 15;  // chains would go on for a minute
  std::vector<ScreenshotStep> steps;
  for (const LaboratoryInfo& laboratory : laboratories()) {
    steps.push_back({.name = QStringLiteral("lab-%1").arg(QLatin1String(laboratory.key)),
                     .show = [this, id = laboratory.id] { showLaboratory(id); },
                     .seconds = kShownSeconds});
  }
  return steps;
}

void LabsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showChosen();
}

void LabsPage::showChosen() {
  const std::size_t index = shownIndex();
  LabView& view = viewOf(index);
  const LaboratoryInfo& info = laboratories()[index];
  explanation_->setText(explained(labText(info.name), info.explanation));
  setHelpTopic(*this, laboratoryTopic(info));
  stack_->setCurrentWidget(&view);
  view.begin();
}

LabView& LabsPage::viewOf(std::size_t index) {
  LabView*& view = views_[index];
  if (view == nullptr) {
    view = makeView(
        laboratories()[index].id,
        {parts_.session, parts_.jobs, parts_.computer, parts_.opener, worker_, gaussian_}, stack_);
    defaults_[index] = view->defaults().dump();
    stack_->addWidget(view);
    view->setPresented(is_presented_);
    connect(view, &LabView::failed, this, &LabsPage::failed);
  }
  return *view;
}

LabPreset LabsPage::shownPreset() {
  return {laboratories()[shownIndex()].id, viewOf(shownIndex()).setUp()};
}

void LabsPage::savePreset(const QString& path) {
  if (const Status saved = saveLabPreset(path.toStdString(), shownPreset()); !saved) {
    Q_EMIT failed(errorText(saved.error()));
    return;
  }
  Q_EMIT written(path);
}

void LabsPage::openPreset(const QString& path) {
  const auto preset = openLabPreset(path.toStdString());
  if (!preset) {
    Q_EMIT failed(errorText(preset.error()));
    return;
  }
  story_->end();
  apply(*preset, path);
}

void LabsPage::openFile(const QString& path) {
  if (labFileKind(path.toStdString()) != LabFileKind::kStory) {
    openPreset(path);
    return;
  }
  auto story = openLabStory(path.toStdString());
  if (!story) {
    Q_EMIT failed(errorText(story.error()));
    return;
  }
  tellStory(*std::move(story), StoryBar::keyOfFile(path));
}

void LabsPage::tellStory(LabStory story, const QString& key) {
  story_->open(std::move(story), key);
  showDescription();
}

void LabsPage::showDescription() {
  // The text of a step takes its place.
  const bool shows = !is_presented_ && !story_->hasStory();
  explanation_->setVisible(shows);
  reset_->setVisible(shows);
}

LabPreset LabsPage::completed(const LabPreset& preset) {
  const std::size_t index = indexOf(preset.laboratory);
  (void)viewOf(index);
  return {preset.laboratory,
          completedSetUp(nlohmann::json::parse(defaults_[index]), preset.set_up)};
}

void LabsPage::showStoryStep() {
  const StoryStep& step = story_->story().steps[story_->step()];
  apply(
      completed(step.preset),
      tr("%1, step %2").arg(QString::fromStdString(story_->story().title)).arg(story_->step() + 1));
}

void LabsPage::copyAsStoryStep() {
  const StoryStep step{tr("Title").toStdString(), tr("What there is to see").toStdString(),
                       shownPreset()};
  QGuiApplication::clipboard()->setText(QString::fromStdString(storyStepToJson(step).dump(2)));
  Q_EMIT noticed(tr("A step is on the clipboard; paste it into the list \"steps\" of a story"));
}

void LabsPage::showFigure(const LabFigure& figure) {
  const auto preset = presetOf(figure);
  if (!preset) {
    Q_EMIT failed(errorText(preset.error()));
    return;
  }
  story_->end();
  const QString title = labText(figure.title.c_str());
  if (apply(completed(*preset), title)) {
    explanation_->setText(explained(title, figure.text.c_str()));
  }
}

bool LabsPage::apply(const LabPreset& preset, const QString& name) {
  Status applied;
  try {
    applied = viewOf(indexOf(preset.laboratory)).applySetUp(preset.set_up);
  } catch (const nlohmann::json::exception& exception) {
    applied = fail(ErrorCode::kMalformed, exception.what());
  }
  if (!applied) {
    Error error = badLabPreset(name.toStdString(), applied.error().message).value();
    error.remedy = applied.error().remedy;
    Q_EMIT failed(errorText(error));
    return false;
  }
  showLaboratory(preset.laboratory);
  return true;
}

bool LabsPage::takeKey(const QKeyEvent& event) {
  LabView* const shown = views_[static_cast<std::size_t>(tabs_->currentIndex())];
  return event.key() == Qt::Key_Escape && shown != nullptr && shown->endEnlarged();
}

void LabsPage::setPresented(bool presented) {
  is_presented_ = presented;
  tabs_->setVisible(!presented);
  file_->setVisible(!presented);
  showDescription();
  for (LabView* const view : views_) {
    if (view != nullptr) {
      view->setPresented(presented);
    }
  }
}

void LabsPage::showDefaults() {
  const std::size_t index = shownIndex();
  (void)viewOf(index);
  const LaboratoryInfo& info = laboratories()[index];
  apply({info.id, nlohmann::json::parse(defaults_[index])}, labText(info.name));
  // A figure of the literature is no longer explained.
  showChosen();
}

void LabsPage::undo() {
  shownLaboratory().undo();
}

void LabsPage::redo() {
  shownLaboratory().redo();
}

std::optional<QString> LabsPage::presetFile(const QString& typed) {
  const QString suffix = QStringLiteral(".json");
  if (typed.endsWith(suffix, Qt::CaseInsensitive)) {
    return typed;
  }
  // The dialog has only checked the name without the suffix.
  const QString path = typed + suffix;
  const bool may_write =
      !QFileInfo::exists(path) ||
      QMessageBox::question(this, tr("Save preset"), tr("%1 exists. Replace it?").arg(path)) ==
          QMessageBox::Yes;
  return may_write ? std::optional(path) : std::nullopt;
}

void LabsPage::askForPreset(bool save) {
  const QString filter = tr("Presets and stories (*.json)");
  const QString path =
      !next_file_name_.isEmpty() ? std::exchange(next_file_name_, {})
      : save ? QFileDialog::getSaveFileName(this, tr("Save preset"), QStringLiteral("lab.json"),
                                            filter)
             : QFileDialog::getOpenFileName(this, tr("Open preset or story"), {}, filter);
  if (path.isEmpty()) {
    return;
  }
  if (!save) {
    openFile(path);
  } else if (const std::optional<QString> file = presetFile(path)) {
    savePreset(*file);
  }
}

void LabsPage::recordFrames(const QString& folder) {
  if (const Status started = recorder_.start(shownLaboratory().recordedPart(), folder); !started) {
    Q_EMIT failed(errorText(started.error()));
  }
}

void LabsPage::recordSteps(const QString& folder) {
  LabView& view = shownLaboratory();
  auto* const player = view.findChild<LabPlayer*>();
  if (player == nullptr) {
    Q_EMIT failed(tr("This laboratory has no steps; record frames instead"));
    return;
  }
  if (const Status started = recorder_.start(view.recordedPart(), folder, player); !started) {
    Q_EMIT failed(errorText(started.error()));
  }
}

void LabsPage::askForFrames(void (LabsPage::*record)(const QString& folder)) {
  const QString folder = !next_file_name_.isEmpty()
                             ? std::exchange(next_file_name_, {})
                             : QFileDialog::getExistingDirectory(this, tr("Folder for frames"));
  if (!folder.isEmpty()) {
    (this->*record)(folder);
  }
}

void LabsPage::showRecording() {
  const bool recording = recorder_.isRecording();
  file_->setText(recording ? tr("● Stop (%1)").arg(recorder_.frames()) : tr("File"));
  file_->setToolTip(recording ? tr("End the recording; so many frames were written")
                              : tr("Save what this laboratory shows, or open what somebody saved"));
  file_->setMenu(recording ? nullptr : file_menu_);
}

void LabsPage::addStories(QMenu& menu) {
  QMenu* const stories = menu.addMenu(tr("Stories"));
  stories->setObjectName(QStringLiteral("labStories"));
  for (const ShippedStory& shipped : shippedStories()) {
    stories->addAction(QCoreApplication::translate("Labs", shipped.title), this, [this, &shipped] {
      if (auto story = storyOf(shipped)) {
        tellStory(*std::move(story), QLatin1String(shipped.key));
      } else {
        Q_EMIT failed(errorText(story.error()));
      }
    });
  }
  stories->addSeparator();
  stories->addAction(tr("Copy as story step"), this, &LabsPage::copyAsStoryStep)
      ->setObjectName(QStringLiteral("labCopyStep"));
}

QWidget* LabsPage::makeFileButton() {
  file_ = new QPushButton(this);
  file_->setObjectName(QStringLiteral("labFile"));
  file_menu_ = new QMenu(file_);
  QMenu& menu = *file_menu_;
  menu.addAction(tr("Save preset…"), this, [this] { askForPreset(true); })
      ->setObjectName(QStringLiteral("labSavePreset"));
  menu.addAction(tr("Open preset or story…"), this, [this] { askForPreset(false); })
      ->setObjectName(QStringLiteral("labOpenPreset"));
  addStories(menu);
  QMenu* const figures = menu.addMenu(tr("Figures of the literature"));
  figures->setObjectName(QStringLiteral("labFigures"));
  figures->setToolTipsVisible(true);
  for (const LabFigure& figure : labFigures()) {
    figures->addAction(labText(figure.title.c_str()), this, [this, &figure] { showFigure(figure); })
        ->setToolTip(labText(figure.text.c_str()));
  }
  menu.addSeparator();
  const auto add_recording = [&](const char* name, const QString& text,
                                 void (LabsPage::*record)(const QString&)) {
    menu.addAction(text, this, [this, record] { askForFrames(record); })
        ->setObjectName(QLatin1String(name));
  };
  add_recording("labRecordFrames", tr("Record frames…"), &LabsPage::recordFrames);
  add_recording("labRecordSteps", tr("Record each step…"), &LabsPage::recordSteps);
  connect(file_, &QPushButton::clicked, this, [this] {
    if (recorder_.isRecording()) {
      recorder_.stop();
    }
  });
  connect(&recorder_, &FrameRecorder::changed, this, &LabsPage::showRecording);
  connect(&recorder_, &FrameRecorder::failed, this, &LabsPage::failed);
  connect(&recorder_, &FrameRecorder::finished, this, [this](const QString& path) {
    // A film is made by a program for films; Qt has no encoder.
    const QString film =
        QStringLiteral("ffmpeg -framerate %1 -i frame-%04d.png -pix_fmt yuv420p lab.mp4");
    Q_EMIT written(tr("%1, of %2 frames next to it; a film: %3")
                       .arg(path)
                       .arg(recorder_.frames())
                       .arg(film.arg(FrameRecorder::kFramesPerSecond)));
  });
  showRecording();
  return file_;
}

}  // namespace dubito
