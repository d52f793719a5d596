// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_page.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "app/files/recent_files.h"
#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/session/session.h"
#include "app/study/study_editor.h"
#include "app/study/study_results_view.h"
#include "app/study/study_templates.h"
#include "app/workbench/demo.h"
#include "core/io/mapped_file.h"
#include "core/study/study_files.h"
#include "widgets/card.h"
#include "widgets/muted_label.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

StudyPage::StudyPage(Session& session, WindowJobs& jobs, RunComputer& computer, RecentFiles& recent,
                     QWidget* parent)
    : Page(PageId::kStudy, parent),
      session_(session),
      recent_(recent),
      view_(session, jobs, computer, recent),
      runner_(jobs, computer),
      reading_job_(jobs.fileThread()),
      parts_(new QStackedWidget(this)),
      start_(buildStart()),
      results_(new StudyResultsView(view_, parts_)),
      editor_(new StudyEditor(session, jobs, recent, parts_)) {
  setObjectName(QStringLiteral("studyPage"));
  parts_->setObjectName(QStringLiteral("studyParts"));
  for (QWidget* const part :
       {start_, static_cast<QWidget*>(results_), static_cast<QWidget*>(editor_)}) {
    parts_->addWidget(part);
  }
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildBar());
  layout->addWidget(parts_, 1);
  connectParts();
  showPart(start_);
}

QWidget* StudyPage::buildStart() {
  auto* const card = new Card(tr("Study"), parts_);
  card->setObjectName(QStringLiteral("studyStartCard"));
  auto* const content = new QWidget(card);
  auto* const column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3 * kGrid);
  auto* const heading = new QLabel(tr("Which labels can be trusted on shifted data?"), content);
  heading->setProperty("role", QStringLiteral("heading"));
  heading->setFont(uiFont(TypeSize::kHeading));
  auto* const text = new WrappedLabel(
      tr("A network was trained on one kind of data and is used on another. A study trains or "
         "takes networks, predicts with several methods, and compares them on targets that move "
         "away from the training data and against images of other classes: accuracy, calibration "
         "and uncertainty with the spread over seeds, differences to a baseline with intervals, "
         "and how many labels each method may give by itself without breaking its guarantee."),
      content);
  text->setMaximumWidth(160 * kGrid);
  auto* const hint = makeMutedLabel(
      {}, content,
      tr("Open folder… shows the results of a study (a folder with table.json); it can also be "
         "dropped on the window. New study… writes the file of one and computes it here; "
         "dubito-cli study does the same without a window."));
  hint->setMaximumWidth(160 * kGrid);
  column->addStretch(1);
  column->addWidget(heading);
  column->addWidget(text);
  column->addWidget(hint);
  column->addStretch(2);
  card->setContent(content);
  return card;
}

QPushButton* StudyPage::addButton(QHBoxLayout& bar, const QString& text, const char* name,
                                  const QString& tip) {
  auto* const button = new QPushButton(text, bar.parentWidget());
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  bar.addWidget(button);
  return button;
}

Card* StudyPage::buildBar() {
  auto* const card = new Card(tr("Studies"), this);
  card->setObjectName(QStringLiteral("studyBarCard"));
  auto* const content = new QWidget(card);
  auto* const bar = new QHBoxLayout(content);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->setSpacing(2 * kGrid);
  QPushButton* const start_new =
      addButton(*bar, tr("New study…"), "studyNew", tr("Write the file of a study"));
  auto* const menu = new QMenu(start_new);
  menu->setObjectName(QStringLiteral("studyNewMenu"));
  const auto add = [&](const QString& text, const char* kind, const QString& tip) {
    QAction* const action = menu->addAction(text);
    action->setObjectName(QStringLiteral("studyNew-") + QLatin1String(kind));
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [this, kind] { startNew(QLatin1String(kind)); });
  };
  menu->setToolTipsVisible(true);
  add(tr("Sample digits that turn"), "sample",
      tr("Trains small networks on the sample digits; about a minute"));
  add(tr("Of what is open"), "open",
      tr("The open models on the active dataset, on rotations of it, and against the open OOD "
         "datasets"));
  add(tr("Empty"), "empty", {});
  start_new->setMenu(menu);
  QPushButton* const folder =
      addButton(*bar, tr("Open folder…"), "studyOpenFolder", tr("Show the results of a study"));
  QPushButton* const file = addButton(*bar, tr("Open study file…"), "studyOpenFile",
                                      tr("Change or compute a study file (JSON)"));
  bar->addSpacing(2 * kGrid);
  show_results_ = addButton(*bar, tr("Results"), "studyShowResults", tr("The study that is open"));
  show_editor_ = addButton(*bar, tr("Set-up"), "studyShowEditor", tr("The study file"));
  show_results_->setCheckable(true);
  show_editor_->setCheckable(true);
  run_ = addButton(*bar, tr("Run"), "studyRun",
                   tr("Computes what the study lacks in a separate process, then shows it"));
  run_->setProperty("role", QStringLiteral("primary"));
  cancel_ = addButton(*bar, tr("Cancel"), "studyCancel",
                      tr("Ends the computation; Run continues with what there is"));
  status_ = makeStatusLabel(QStringLiteral("studyStatus"), content);
  bar->addWidget(status_, 1);
  card->setContent(content);
  connect(folder, &QPushButton::clicked, this, &StudyPage::askForFolder);
  connect(file, &QPushButton::clicked, this, &StudyPage::askForFile);
  connect(show_results_, &QPushButton::clicked, this, &StudyPage::showResults);
  connect(show_editor_, &QPushButton::clicked, this, &StudyPage::showEditor);
  connect(run_, &QPushButton::clicked, this, &StudyPage::run);
  connect(cancel_, &QPushButton::clicked, &runner_, &StudyRunner::cancel);
  return card;
}

void StudyPage::connectParts() {
  connect(&view_, &StudyView::opened, this, [this] {
    showPart(results_);
    takeStudyFile();
  });
  connect(&view_, &StudyView::failed, this, &StudyPage::failed);
  connect(&view_, &StudyView::runsOpened, this, &StudyPage::overviewRequested);
  connect(results_, &StudyResultsView::failed, this, &StudyPage::failed);
  connect(editor_, &StudyEditor::failed, this, &StudyPage::failed);
  connect(editor_, &StudyEditor::changed, this, &StudyPage::showState);
  connect(&runner_, &StudyRunner::failed, this, &StudyPage::failed);
  connect(&runner_, &StudyRunner::finished, this, &StudyPage::openFolder);
  connect(&runner_, &StudyRunner::changed, this, [this] {
    progress_.clear();
    showState();
  });
  connect(&runner_, &StudyRunner::progressed, this, [this](const Progress& progress) {
    const QString stage = QString::fromStdString(progress.stage);
    progress_ =
        progress.total == 0
            ? stage
            : tr("%1: %2 of %3").arg(stage, countText(progress.done), countText(progress.total));
    showState();
  });
}

void StudyPage::askForFolder() {
  QString folder = std::exchange(next_file_name_, {});
  if (folder.isEmpty()) {
    folder =
        QFileDialog::getExistingDirectory(this, tr("Open the folder of a study"), recent_.folder());
  }
  if (!folder.isEmpty()) {
    openFolder(folder);
  }
}

void StudyPage::askForFile() {
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    path = QFileDialog::getOpenFileName(this, tr("Open a study file"), recent_.folder(),
                                        tr("Studies (*.json)"));
  }
  if (!path.isEmpty()) {
    openFile(path);
  }
}

void StudyPage::takeStudyFile() {
  const QString folder = QString::fromStdString(view_.study()->path);
  const QString file = QDir(folder).filePath(QLatin1String(kStudyFile));
  const StudyDraft& draft = editor_->draft();
  // After a run the editor has it. What a person has written is never replaced.
  const bool is_free =
      draft.document() == nullptr ? draft.text().empty() : draft.document()->empty();
  if (editor_->folder() != folder && (is_free || draft.text() == taken_) &&
      QFileInfo::exists(file)) {
    editor_->setFolder(folder);
    readFile(file, /*is_shown=*/false);
  }
}

void StudyPage::openFile(const QString& path) {
  readFile(path, /*is_shown=*/true);
}

void StudyPage::readFile(const QString& path, bool is_shown) {
  reading_ = true;
  reading_job_.restart<std::string>(
      tr("Opening %1").arg(path), {},
      [file = path.toStdString()](RunContext&) -> Expected<std::string> {
        const auto mapped = MappedFile::open(file);
        if (!mapped) {
          return failWith(mapped);
        }
        const ByteSpan bytes = (*mapped)->bytes();
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      },
      this,
      [this, path, is_shown](const Expected<std::string>& text) {
        reading_ = false;
        if (!text) {
          Q_EMIT failed(errorText(text.error()));
          return;
        }
        StudyDraft draft;
        draft.setText(*text);
        editor_->setStudy(std::move(draft), path);
        if (is_shown) {
          showPart(editor_);
        } else {
          taken_ = editor_->draft().text();
          showState();
        }
      });
}

void StudyPage::startNew(const QString& kind) {
  const auto samples = findSamples();
  if (kind == QStringLiteral("sample") && !samples) {
    Q_EMIT failed(
        tr("datasets/samples: is not installed with this program; choose another "
           "template"));
    return;
  }
  StudyDraft draft;
  draft.setDocument(kind == QStringLiteral("sample") ? sampleStudy(*samples)
                    : kind == QStringLiteral("open") ? studyOfSession(session_)
                                                     : emptyStudy());
  editor_->setStudy(std::move(draft), {});
  showPart(editor_);
}

QString StudyPage::obstacle() const {
  if (editor_->draft().problem()) {
    return tr("Correct the study first: the error is below its text.");
  }
  return editor_->folder().isEmpty() ? tr("Choose a folder for the results.") : QString();
}

void StudyPage::run() {
  if (!runner_.running() && obstacle().isEmpty()) {
    runner_.start({editor_->draft().text(), editor_->folder().toStdString()});
  }
}

std::vector<ScreenshotStep> StudyPage::screenshots() {
  if (!view_.study()) {
    return {};
  }
  return {ScreenshotStep{.name = QStringLiteral("study"), .show = [this] { showResults(); }},
          ScreenshotStep{.name = QStringLiteral("study-file"), .show = [this] { showEditor(); }}};
}

void StudyPage::showResults() {
  showPart(view_.study() ? static_cast<QWidget*>(results_) : start_);
}

void StudyPage::showEditor() {
  showPart(editor_);
}

void StudyPage::showPart(QWidget* part) {
  parts_->setCurrentWidget(part);
  showState();
}

void StudyPage::showState() {
  const QWidget* const shown = parts_->currentWidget();
  const bool is_editing = shown == editor_;
  const bool running = runner_.running();
  show_results_->setChecked(shown == results_);
  show_results_->setEnabled(view_.study() != nullptr);
  show_editor_->setChecked(is_editing);
  editor_->setLocked(running);
  run_->setEnabled(is_editing && !running && obstacle().isEmpty());
  cancel_->setEnabled(running);
  const QString reason = obstacle();
  status_->setText(running             ? progress_.isEmpty() ? tr("Starting") : progress_
                   : !is_editing       ? QString()
                   : !reason.isEmpty() ? reason
                   : runner_.state() == JobState::kCancelled
                       ? tr("Cancelled; Run continues with what there is.")
                       : tr("Ready. Results that are in the folder are kept."));
}

}  // namespace dubito
