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

/// What a file dialog in `folder` answered: the dataset specification that was typed in place of a
/// file name ("synthetic:glyphs", "idx:a,b"), else the path.
[[nodiscard]] QString typedSpecification(const QString& chosen, const QString& folder);

/// Everything that can be opened: models, datasets, predictions, the files opened last, the demo.
/// Its dialogs are never modal.
class OpenMenu : public QMenu {
  Q_OBJECT
 public:
  /// `recent` outlives the menu.
  explicit OpenMenu(RecentFiles recent, QWidget* parent = nullptr);

  /// The next file dialog is not shown and answers this; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Asks for any file and opens it as what it looks like.
  void openAny();
  /// Offers to close the demo.
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
