// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/open_menu.h"

#include <QFileDialog>
#include <utility>

namespace dubito {

OpenMenu::OpenMenu(RecentFiles recent, QWidget* parent) : QMenu(parent), recent_(recent) {
  setObjectName(QStringLiteral("openMenu"));
  setTitle(tr("Open"));
  const QString models = tr("TorchScript models (*.pt *.ptl *.pth);;All files (*)");
  const QString datasets = tr("Datasets (*ubyte* *idx* *.npz *.gz);;All files (*)");
  const QString predictions = tr("Runs and predictions (*.npz *.npy *.csv);;All files (*)");
  add(tr("Model…"), "openModel", FileKind::kModel, false, false, models);
  addSeparator();
  add(tr("Folder of images…"), "openFolder", FileKind::kDataset, false, true, {});
  add(tr("Dataset file…"), "openDataset", FileKind::kDataset, false, false, datasets);
  add(tr("Folder of OOD images…"), "openOodFolder", FileKind::kDataset, true, true, {});
  add(tr("OOD dataset file…"), "openOodDataset", FileKind::kDataset, true, false, datasets);
  addSeparator();
  add(tr("Run or predictions…"), "openPredictions", FileKind::kPredictions, false, false,
      predictions);
  add(tr("OOD predictions…"), "openOodPredictions", FileKind::kPredictions, true, false,
      predictions);
  addSeparator();
  recent_menu_ = addMenu(tr("Recent"));
  recent_menu_->setObjectName(QStringLiteral("recentMenu"));
  QAction* const demo = addAction(tr("Demo"));
  demo->setObjectName(QStringLiteral("openDemo"));
  connect(demo, &QAction::triggered, this, &OpenMenu::demoRequested);
  connect(this, &QMenu::aboutToShow, this, &OpenMenu::fillRecent);
  fillRecent();
}

void OpenMenu::add(const QString& text, const char* name, FileKind kind, bool ood, bool folder,
                   const QString& filter) {
  QAction* const action = addAction(text);
  action->setObjectName(QLatin1String(name));
  QString title = text;
  title.remove(QChar(0x2026));
  connect(action, &QAction::triggered, this, [this, title, kind, ood, folder, filter] {
    ask(tr("Open: %1").arg(title), kind, ood, folder, filter);
  });
}

void OpenMenu::openAny() {
  ask(tr("Open"), FileKind::kUnknown, false, false,
      tr("Everything (*.pt *.ptl *.pth *ubyte* *.npz *.npy *.csv *.gz *.dubito);;All files (*)"));
}

void OpenMenu::ask(const QString& title, FileKind kind, bool ood, bool folder,
                   const QString& filter) {
  QString name = std::exchange(next_file_name_, {});
  if (name.isEmpty()) {
    name = folder ? QFileDialog::getExistingDirectory(parentWidget(), title)
                  : QFileDialog::getOpenFileName(parentWidget(), title, {}, filter);
  }
  if (!name.isEmpty()) {
    Q_EMIT requested({{name.toStdString(), kind, ood, {}}});
  }
}

void OpenMenu::fillRecent() {
  recent_menu_->clear();
  const QStringList files = recent_.list();
  for (const QString& file : files) {
    QAction* const action = recent_menu_->addAction(file);
    connect(action, &QAction::triggered, this, [this, file] {
      Q_EMIT requested({{file.toStdString(), FileKind::kUnknown, false, {}}});
    });
  }
  recent_menu_->setEnabled(!files.isEmpty());
  if (!files.isEmpty()) {
    recent_menu_->addSeparator();
    QAction* const clear = recent_menu_->addAction(tr("Forget these"));
    clear->setObjectName(QStringLiteral("clearRecent"));
    connect(clear, &QAction::triggered, this, [this] { recent_.clear(); });
  }
}

}  // namespace dubito
