// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/file_drop.h"

#include <QCursor>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>

#include "app/files/label_source.h"
#include "app/session/session.h"
#include "widgets/drop_target.h"

namespace dubito {

FileDrop::FileDrop(Session& session, FileOpener& opener, QWidget& window)
    : QObject(&window), session_(session), opener_(opener), window_(window) {
  window_.setAcceptDrops(true);
  window_.installEventFilter(this);
}

void FileDrop::open(const QStringList& paths, bool ood) {
  std::vector<OpenRequest> requests;
  for (const QString& path : paths) {
    const bool labels = prefers_labels_ && canBeLabels(path.toStdString());
    requests.push_back(
        {path.toStdString(), labels ? FileKind::kLabels : FileKind::kUnknown, ood, {}});
  }
  opener_.open(requests);
}

void FileDrop::drop(const QStringList& paths, bool ood, const QPoint& position) {
  if (prefers_labels_) {
    open(paths, false);
    return;
  }
  const Session& session = session_;
  QStringList datasets;
  QStringList others;
  for (const QString& path : paths) {
    const FileKind kind = guessFileKind(path.toStdString());
    const bool could_be_ood = (kind == FileKind::kDataset && session.activeDataset()) ||
                              (kind == FileKind::kPredictions && session.activeAnalysis());
    (could_be_ood && !ood ? datasets : others) << path;
  }
  if (!others.isEmpty()) {
    open(others, ood);
  }
  if (datasets.isEmpty()) {
    return;
  }
  auto* const menu = new QMenu(&window_);
  menu->setObjectName(QStringLiteral("dropMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* const as_ood = menu->addAction(tr("Open as out-of-distribution"));
  as_ood->setObjectName(QStringLiteral("dropAsOod"));
  QAction* const as_in = menu->addAction(tr("Open as in-distribution"));
  as_in->setObjectName(QStringLiteral("dropAsIn"));
  connect(as_ood, &QAction::triggered, this, [this, datasets] { open(datasets, true); });
  connect(as_in, &QAction::triggered, this, [this, datasets] { open(datasets, false); });
  menu->popup(position);
}

void FileDrop::dropAtMouse(const QStringList& paths) {
  const bool ood = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
  drop(paths, ood, QCursor::pos());
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::DragEnter) {
    auto* const enter = static_cast<QDragEnterEvent*>(event);
    if (!droppedPaths(*enter->mimeData()).isEmpty()) {
      enter->acceptProposedAction();
    }
    return true;
  }
  if (watched == &window_ && event->type() == QEvent::Drop) {
    auto* const dropped = static_cast<QDropEvent*>(event);
    const QStringList paths = droppedPaths(*dropped->mimeData());
    if (!paths.isEmpty()) {
      dropped->acceptProposedAction();
      const bool ood = dropped->modifiers().testFlag(Qt::ShiftModifier);
      drop(paths, ood, window_.mapToGlobal(dropped->position().toPoint()));
    }
    return true;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace dubito
