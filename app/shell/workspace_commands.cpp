// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/workspace_commands.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <utility>

#include "app/session/run_names.h"
#include "app/workspace/missing_files.h"

namespace dubito {
namespace {

constexpr const char* kEnding = ".dubito";

QAction* addCommand(QMainWindow& window, QMenu& menu, const char* name, const QString& text,
                    const QKeySequence& keys) {
  auto* const command = new QAction(text, &window);
  command->setObjectName(QLatin1String(name));
  command->setShortcut(keys);
  window.addAction(command);
  menu.addAction(command);
  return command;
}

}  // namespace

WorkspaceCommands::WorkspaceCommands(QMainWindow& window, const WorkspaceKeeper::Parts& parts,
                                     QMenu& open_menu, QMenu& export_menu)
    : QObject(&window),
      window_(window),
      session_(parts.session),
      jobs_(parts.jobs),
      computer_(parts.computer),
      recent_(parts.opener.recentFiles()),
      keeper_(parts),
      missing_(new MissingFiles(&window)) {
  open_menu.addSeparator();
  export_menu.addSeparator();
  open_ = addCommand(window, open_menu, "openWorkspace", tr("Open workspace…"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
  connect(open_, &QAction::triggered, this, &WorkspaceCommands::open);
  connect(addCommand(window, export_menu, "saveWorkspace", tr("Save workspace…"),
                     QKeySequence(Qt::CTRL | Qt::Key_S)),
          &QAction::triggered, this, [this] { save(false); });
  connect(addCommand(window, export_menu, "saveWorkspaceAs", tr("Save workspace as…"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)),
          &QAction::triggered, this, [this] { save(true); });
  connect(missing_, &MissingFiles::locateRequested, this, &WorkspaceCommands::locate);
  connect(missing_, &MissingFiles::acceptRequested, &keeper_, &WorkspaceKeeper::accept);
  connect(missing_, &MissingFiles::skipRequested, &keeper_, &WorkspaceKeeper::skip);
  connect(&keeper_, &WorkspaceKeeper::problemsChanged, this, &WorkspaceCommands::showProblems);
  connect(&keeper_, &WorkspaceKeeper::changed, this, &WorkspaceCommands::showTitle);
  connect(&keeper_, &WorkspaceKeeper::noticed, this, &WorkspaceCommands::noticed);
  connect(&keeper_, &WorkspaceKeeper::failed, this, &WorkspaceCommands::failed);
  connect(&keeper_, &WorkspaceKeeper::withdrawn, this, &WorkspaceCommands::withdrawn);
  connect(&keeper_, &WorkspaceKeeper::notSaved, this, [this] { when_saved_ = nullptr; });
  connect(&keeper_, &WorkspaceKeeper::saved, this, [this] {
    if (const auto next = std::exchange(when_saved_, nullptr)) {
      next();
    }
  });
  connect(&parts.opener, &FileOpener::workspaceRequested, this, &WorkspaceCommands::openFile);
  connect(&parts.computer, &RunComputer::computingChanged, this,
          &WorkspaceCommands::withdrawMessages);
  window.installEventFilter(this);
  showTitle();
}

WorkspaceCommands::~WorkspaceCommands() = default;

QString WorkspaceCommands::takeFileName(bool to_save, const QString& title, const QString& filter) {
  QString name = std::exchange(next_file_name_, {});
  if (name.isEmpty()) {
    const QString folder = recent_.folder();
    name = to_save ? QFileDialog::getSaveFileName(
                         &window_, title, QDir(folder).filePath(QStringLiteral("workspace.dubito")),
                         filter)
                   : QFileDialog::getOpenFileName(&window_, title, folder, filter);
  }
  if (!name.isEmpty()) {
    recent_.setFolder(QFileInfo(name).absolutePath());
  }
  return name;
}

void WorkspaceCommands::save(bool ask_name) {
  const QString path = ask_name || keeper_.path().isEmpty() ? takeNameToSave() : keeper_.path();
  if (path.isEmpty()) {
    when_saved_ = nullptr;
    return;
  }
  keeper_.save(path);
}

QString WorkspaceCommands::takeNameToSave() {
  QString name = takeFileName(true, tr("Save workspace"), tr("Workspaces (*.dubito)"));
  if (name.isEmpty() || name.endsWith(QLatin1String(kEnding), Qt::CaseInsensitive) ||
      QFileInfo(name) == QFileInfo(keeper_.path())) {
    return name;
  }
  QString path = name + QLatin1String(kEnding);
  // The dialog checked the name without its suffix.
  if (QFileInfo::exists(path) && QFileInfo(path) != QFileInfo(keeper_.path()) &&
      askToReplace(path) != QMessageBox::Yes) {
    return {};
  }
  return path;
}

void WorkspaceCommands::open() {
  const QString path =
      takeFileName(false, tr("Open workspace"), tr("Workspaces (*.dubito);;All files (*)"));
  if (!path.isEmpty()) {
    openFile(path);
  }
}

void WorkspaceCommands::openFile(const QString& path) {
  // Opening replaces what is open.
  if (keeper_.saving()) {
    keeper_.open(path);  // refuses with a reason
    return;
  }
  if (computer_.hasUserRequestedWork()) {
    Q_EMIT failed(whileComputing(
        tr("%1: a computation is running; wait for it or cancel it, then open the workspace")
            .arg(path)));
    return;
  }
  if (jobs_.busy() && keeper_.unsavedRunCount() > 0) {
    Q_EMIT failed(tr("%1: there are unsaved runs and work is in progress; wait for it or cancel "
                     "it, then open the workspace")
                      .arg(path));
    return;
  }
  if (confirmDiscard(tr("Open workspace"), [this, path] { openFile(path); })) {
    keeper_.open(path);
  }
}

void WorkspaceCommands::locate() {
  if (keeper_.problems().empty()) {
    return;
  }
  const QString missing = QString::fromStdString(keeper_.problems().front().path);
  const QString path =
      takeFileName(false, tr("Locate %1").arg(QFileInfo(missing).fileName()), tr("All files (*)"));
  if (!path.isEmpty()) {
    keeper_.locate(path);
  }
}

void WorkspaceCommands::showProblems() {
  QList<ShownProblem> shown;
  for (const WorkspaceProblem& problem : keeper_.problems()) {
    shown.append({QString::fromStdString(problem.message), problem.now.has_value()});
  }
  missing_->setProblems(shown);
}

void WorkspaceCommands::showTitle() {
  QStringList parts;
  if (const AnalysisPtr analysis = session_.activeAnalysis()) {
    const auto position = static_cast<std::size_t>(session_.activeAnalysisPosition());
    parts << tr("%1 · %2").arg(QString::fromStdString(runNames(session_)[position]),
                               QString::fromStdString(analysis->in().name));
  }
  if (!keeper_.path().isEmpty()) {
    // "[*]" is Qt's placeholder for the modified mark; doubling it escapes it.
    QString name = QFileInfo(keeper_.path()).completeBaseName();
    name.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
    parts << name + QStringLiteral("[*]");
  }
  parts << QStringLiteral("Dubito");
  window_.setWindowTitle(parts.join(QStringLiteral(" – ")));
  if (!keeper_.path().isEmpty()) {
    window_.setWindowModified(keeper_.modified());
  }
}

// --- closing -------------------------------------------------------------------------------------

QMessageBox::StandardButton WorkspaceCommands::askToSave(const QString& title, int runs) {
  if (next_answer_) {
    return *std::exchange(next_answer_, std::nullopt);
  }
  const QString name = QFileInfo(keeper_.path()).completeBaseName();
  QString question = runs > 0 ? tr("Unsaved runs: %1. Save them with the workspace?").arg(runs)
                              : tr("The workspace %1 has unsaved changes. Save them?").arg(name);
  if (const QString note = saved_note_ ? saved_note_() : QString(); !note.isEmpty()) {
    question += QLatin1Char(' ') + note;
  }
  QMessageBox box(QMessageBox::Question, title, question,
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box.setDefaultButton(QMessageBox::Save);
  box.setEscapeButton(QMessageBox::Cancel);
  box.setObjectName(QStringLiteral("saveQuestion"));
  return static_cast<QMessageBox::StandardButton>(box.exec());
}

QMessageBox::StandardButton WorkspaceCommands::askToReplace(const QString& path) {
  if (next_answer_) {
    return *std::exchange(next_answer_, std::nullopt);
  }
  QMessageBox box(QMessageBox::Warning, tr("Save workspace"),
                  tr("%1 already exists. Replace it?").arg(path),
                  QMessageBox::Yes | QMessageBox::No, &window_);
  box.setDefaultButton(QMessageBox::No);
  box.setObjectName(QStringLiteral("replaceQuestion"));
  return static_cast<QMessageBox::StandardButton>(box.exec());
}

bool WorkspaceCommands::confirmDiscard(const QString& title, std::function<void()> then) {
  const int runs = keeper_.unsavedRunCount();
  const QMessageBox::StandardButton answer =
      runs == 0 && !keeper_.modified() ? QMessageBox::Discard : askToSave(title, runs);
  if (answer == QMessageBox::Save) {
    when_saved_ = std::move(then);
    save(false);
  }
  return answer == QMessageBox::Discard;
}

QString WorkspaceCommands::whileComputing(const QString& message) {
  while_computing_ << message;
  return message;
}

void WorkspaceCommands::withdrawMessages() {
  if (computer_.hasUserRequestedWork()) {
    return;
  }
  warned_ = false;
  for (const QString& message : std::exchange(while_computing_, {})) {
    Q_EMIT withdrawn(message);
  }
}

bool WorkspaceCommands::mayClose() {
  if (keeper_.saving()) {
    when_saved_ = [this] { window_.close(); };
    Q_EMIT noticed(
        tr("Saving the workspace; the window closes afterwards, or stays open if saving is "
           "cancelled"));
    return false;
  }
  if (computer_.hasUserRequestedWork() && !std::exchange(warned_, true)) {
    Q_EMIT noticed(whileComputing(
        tr("A computation is running; wait for it, cancel it, or close again to discard it")));
    return false;
  }
  if (may_close_ && !may_close_()) {
    return false;
  }
  // Only the running computation is discarded, no results.
  return confirmDiscard(tr("Close Dubito"), [this] { window_.close(); });
}

bool WorkspaceCommands::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::Close && !mayClose()) {
    event->ignore();
    return true;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace dubito
