// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QPointer>
#include <QString>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/recent_files.h"

namespace dubito {

class SpecificationDialog;

/// The dataset specification that was typed into a file dialog in `folder` instead of a file name
/// ("synthetic:glyphs", "idx:a,b"), else the path.
[[nodiscard]] QString typedSpecification(const QString& chosen, const QString& folder);

/// Everything that can be opened: models, datasets, predictions, recent files, the demo. Its
/// dialogs are never modal.
class OpenMenu : public QMenu {
  Q_OBJECT
 public:
  /// `recent` outlives the menu.
  explicit OpenMenu(RecentFiles recent, QWidget* parent = nullptr);

  /// Skips the next file dialog and returns this name; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Asks for a file and opens it according to its type.
  void openAny();
  /// Shows or hides Close demo.
  void setDemoOpen(bool open);

 Q_SIGNALS:
  void requested(const std::vector<dubito::OpenRequest>& requests);
  void demoRequested();
  void closeDemoRequested();

 private:
  void add(const QString& text, const char* name, FileKind kind, bool ood, bool folder,
           const QString& filter);
  void ask(const QString& title, FileKind kind, bool ood, bool folder, const QString& filter);
  void addSynthetic();
  void askSpecification();
  void fillRecent();

  RecentFiles recent_;
  QMenu* recent_menu_;
  QAction* close_demo_;
  QPointer<SpecificationDialog> specification_;
  QString next_file_name_;
};

}  // namespace dubito
