// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>
#include <vector>

#include "app/session/open_file.h"
#include "app/session/recent_files.h"

namespace dubito {

/// Everything that can be opened: models, datasets, predictions, the files opened last, the demo.
class OpenMenu : public QMenu {
  Q_OBJECT
 public:
  /// `recent` outlives the menu.
  explicit OpenMenu(RecentFiles recent, QWidget* parent = nullptr);

  /// The next file dialog is not shown and answers this; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Asks for any file and opens it as what it looks like.
  void openAny();

 Q_SIGNALS:
  void requested(const std::vector<dubito::OpenRequest>& requests);
  void demoRequested();

 private:
  void add(const QString& text, const char* name, FileKind kind, bool ood, bool folder,
           const QString& filter);
  void ask(const QString& title, FileKind kind, bool ood, bool folder, const QString& filter);
  void fillRecent();

  RecentFiles recent_;
  QMenu* recent_menu_;
  QString next_file_name_;
};

}  // namespace dubito
