// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/recent_files.h"

namespace dubito {

class SpecificationDialog;

/// Interprets the result of a file dialog opened in `folder`. If the user typed a dataset
/// specification ("synthetic:glyphs", "idx:a,b") instead of a file name, returns the specification,
/// else the path `chosen`.
[[nodiscard]] QString typedSpecification(const QString& chosen, const QString& folder);

/// Menu for opening models, datasets, predictions, recent files and the demo. Its dialogs are not
/// modal.
class OpenMenu : public QMenu {
  Q_OBJECT
 public:
  /// The settings behind `recent` must outlive the menu.
  explicit OpenMenu(RecentFiles recent, QWidget* parent = nullptr);

  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Asks for a file and opens it according to its type.
  void openAny();
  /// Asks for a dataset, a file or a folder of images, and opens it with that role.
  void askForDataset(Role role, bool folder);
  /// Asks for the folder with the images of labels that were read, and opens both.
  void askForImages(const QString& labels);
  /// Asks for the folder with the images of the run shown, and emits runImagesChosen().
  void askForRunImages();
  [[nodiscard]] QAction& modelCommand() { return *model_; }
  [[nodiscard]] QAction& labelsCommand() { return *labels_; }
  [[nodiscard]] QAction& demoCommand() { return *demo_; }
  /// Shows or hides the entry Close demo.
  void setDemoOpen(bool open);

 Q_SIGNALS:
  void requested(const std::vector<dubito::OpenRequest>& requests);
  /// A folder was chosen for the images of `labels`.
  void imagesChosen(const QString& labels);
  void runImagesChosen(const QString& folder);
  void demoRequested();
  void closeDemoRequested();

 private:
  QAction* add(const QString& text, const char* name, FileKind kind, bool ood, bool folder,
               const QString& filter);
  void ask(const QString& title, const OpenRequest& kind, bool folder, const QString& filter);
  void askForFolder(const QString& title, std::function<void(const QString& folder)> take);
  void addSynthetic();
  void askSpecification();
  void fillRecent();

  RecentFiles recent_;
  QAction* model_;
  QAction* labels_;
  QMenu* recent_menu_;
  QAction* demo_;
  QAction* close_demo_;
  QPointer<SpecificationDialog> specification_;
  QString next_file_name_;
};

}  // namespace dubito
