// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/open_menu.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/files/label_source.h"
#include "app/shell/file_filters.h"
#include "app/shell/specification_dialog.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {
namespace {

/// A file dialog that accepts any name: opening reports what is wrong with it, and it may be the
/// specification of a dataset. Of files that exist, several may be chosen.
class OpenDialog : public QFileDialog {
 public:
  using QFileDialog::QFileDialog;

 protected:
  void accept() override {
    const QStringList files = selectedFiles();
    const bool all_exist =
        std::ranges::all_of(files, [](const QString& file) { return QFileInfo::exists(file); });
    if (all_exist || fileMode() != ExistingFiles) {
      QFileDialog::accept();
      return;
    }
    Q_EMIT filesSelected(files);
    QDialog::accept();
  }
};

}  // namespace

QString typedSpecification(const QString& chosen, const QString& folder) {
  // The dialog prepends its folder to the typed text.
  const QString prefix = folder.endsWith(u'/') ? folder : folder + u'/';
  const QString typed = chosen.startsWith(prefix) ? chosen.mid(prefix.size()) : chosen;
  if (QFileInfo::exists(chosen)) {
    return chosen;
  }
  const auto spec = parseDatasetSpec(typed.toStdString());
  return spec && !spec->scheme.empty() ? typed : chosen;
}

OpenMenu::OpenMenu(RecentFiles recent, QWidget* parent) : QMenu(parent), recent_(recent) {
  setObjectName(QStringLiteral("openMenu"));
  setTitle(tr("Open"));
  const QString datasets = datasetFilter();
  const QString predictions = predictionFilter();
  model_ = add(tr("Model…"), "openModel", FileKind::kModel, false, false, modelFilter());
  addSeparator();
  add(tr("Image folder…"), "openFolder", FileKind::kDataset, false, true, {});
  add(tr("Dataset file…"), "openDataset", FileKind::kDataset, false, false, datasets);
  add(tr("OOD image folder…"), "openOodFolder", FileKind::kDataset, true, true, {});
  add(tr("OOD dataset file…"), "openOodDataset", FileKind::kDataset, true, false, datasets);
  connect(addAction(tr("Dataset specification…")), &QAction::triggered, this,
          &OpenMenu::askSpecification);
  actions().constLast()->setObjectName(QStringLiteral("openSpecification"));
  addSynthetic();
  addSeparator();
  labels_ = add(tr("Labels of another program…"), "openLabels", FileKind::kLabels, false, false,
                labelFilter());
  add(tr("Folder of labelled images…"), "openLabelFolder", FileKind::kLabels, false, true, {});
  addSeparator();
  add(tr("Run or predictions…"), "openPredictions", FileKind::kPredictions, false, false,
      predictions);
  add(tr("OOD predictions…"), "openOodPredictions", FileKind::kPredictions, true, false,
      predictions);
  add(tr("Study folder…"), "openStudy", FileKind::kStudy, false, true, {});
  addSeparator();
  recent_menu_ = addMenu(tr("Recent"));
  recent_menu_->setObjectName(QStringLiteral("recentMenu"));
  demo_ = addAction(tr("Demo"));
  demo_->setObjectName(QStringLiteral("openDemo"));
  connect(demo_, &QAction::triggered, this, &OpenMenu::demoRequested);
  close_demo_ = addAction(tr("Close demo"));
  close_demo_->setObjectName(QStringLiteral("closeDemoAction"));
  connect(close_demo_, &QAction::triggered, this, &OpenMenu::closeDemoRequested);
  setDemoOpen(false);
  connect(this, &QMenu::aboutToShow, this, &OpenMenu::fillRecent);
  fillRecent();
}

QAction* OpenMenu::add(const QString& text, const char* name, FileKind kind, bool ood, bool folder,
                       const QString& filter) {
  QAction* const action = addAction(text);
  action->setObjectName(QLatin1String(name));
  QString title = text;
  title.remove(QChar(0x2026));
  connect(action, &QAction::triggered, this, [this, title, kind, ood, folder, filter] {
    ask(tr("Open: %1").arg(title), {.kind = kind, .ood = ood}, folder, filter);
  });
  return action;
}

void OpenMenu::openAny() {
  ask(tr("Open"), {}, false, anythingFilter());
}

void OpenMenu::askForDataset(Role role, bool folder) {
  ask(role == Role::kTrain ? tr("Open: Training items") : tr("Open: Calibration items"),
      {.kind = FileKind::kDataset, .role = role}, folder, folder ? QString() : datasetFilter());
}

void OpenMenu::askForImages(const QString& labels) {
  askForFolder(tr("Folder with the images of these labels"), [this, labels](const QString& folder) {
    Q_EMIT imagesChosen(labels);
    Q_EMIT requested({{labelsWithImages(labels.toStdString(), folder.toStdString()),
                       FileKind::kLabels,
                       false,
                       {}}});
  });
}

void OpenMenu::askForRunImages() {
  askForFolder(tr("Folder with the images of these predictions"),
               [this](const QString& folder) { Q_EMIT runImagesChosen(folder); });
}

void OpenMenu::askForFolder(const QString& title, std::function<void(const QString& folder)> take) {
  if (const QString next = std::exchange(next_file_name_, {}); !next.isEmpty()) {
    take(next);
    return;
  }
  auto* const dialog = new QFileDialog(parentWidget(), title, recent_.folder());
  dialog->setObjectName(QStringLiteral("imagesDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly, true);
  dialog->setLabelText(QFileDialog::Accept, tr("Open"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, take = std::move(take)](const QString& folder) {
            recent_.setFolder(dialog->directory().absolutePath());
            take(folder);
          });
  dialog->show();
}

void OpenMenu::setDemoOpen(bool open) {
  close_demo_->setVisible(open);
}

void OpenMenu::addSynthetic() {
  QMenu* const menu = addMenu(tr("Synthetic data"));
  menu->setObjectName(QStringLiteral("syntheticMenu"));
  const std::pair<QString, const char*> sets[] = {
      {tr("Digits (1 000 images)"), "synthetic:glyphs?characters=10&n=1000"},
      {tr("Digits and letters (1 000 images)"), "synthetic:glyphs?n=1000"},
      {tr("Blobs (points)"), "synthetic:blobs?n=1000"},
      {tr("Moons (points)"), "synthetic:moons?n=1000"}};
  for (const auto& [text, specification] : sets) {
    QAction* const action = menu->addAction(text);
    action->setObjectName(QLatin1String(specification));
    connect(action, &QAction::triggered, this, [this, specification = std::string(specification)] {
      Q_EMIT requested({{specification, FileKind::kDataset, false, {}}});
    });
  }
}

void OpenMenu::askSpecification() {
  if (!specification_) {
    specification_ = new SpecificationDialog(parentWidget());
    specification_->setAttribute(Qt::WA_DeleteOnClose);
    connect(specification_, &SpecificationDialog::requested, this, &OpenMenu::requested);
  }
  specification_->show();
  specification_->raise();
  specification_->activateWindow();
}

void OpenMenu::ask(const QString& title, const OpenRequest& kind, bool folder,
                   const QString& filter) {
  const auto named = [kind](const QString& name) {
    OpenRequest request = kind;
    request.specification = name.toStdString();
    return request;
  };
  const QString next = std::exchange(next_file_name_, {});
  if (!next.isEmpty()) {
    Q_EMIT requested({named(next)});
    return;
  }
  auto* const dialog = new OpenDialog(parentWidget(), title, recent_.folder(), filter);
  dialog->setObjectName(QStringLiteral("openDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
  dialog->setOption(QFileDialog::ShowDirsOnly, folder);
  dialog->setLabelText(QFileDialog::Accept, tr("Open"));
  connect(dialog, &QFileDialog::filesSelected, this,
          [this, dialog, named](const QStringList& files) {
            const QString place = dialog->directory().absolutePath();
            recent_.setFolder(place);
            std::vector<OpenRequest> requests;
            for (const QString& file : files) {
              const QString name = typedSpecification(file, place);
              requests.push_back(named(name));
              if (name != file) {
                requests.back().kind = FileKind::kDataset;
              }
            }
            Q_EMIT requested(requests);
          });
  dialog->show();
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
    QAction* const clear = recent_menu_->addAction(tr("Clear list"));
    clear->setObjectName(QStringLiteral("clearRecent"));
    connect(clear, &QAction::triggered, this, [this] { recent_.clear(); });
  }
}

}  // namespace dubito
