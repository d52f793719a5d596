// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <functional>

#include "core/base/expected.h"
#include "widgets/plot_table.h"

class QMenu;
class QWidget;

namespace dubito {

/// What a plot or table gives away; what is missing is not offered.
struct ExportSource {
  std::function<PlotTable()> table;  ///< exactly the numbers that are shown
  /// The picture as "png", "svg" or "pdf", a png at `scale` times its resolution.
  std::function<QByteArray(const QString& suffix, int scale)> picture;
  std::function<QString()> title;  ///< the file name that is suggested is made of it
  /// People paste it into a text: Markdown and LaTeX, too.
  bool as_document = false;
};

/// The way out of all plots and tables: entries of their context menus that copy and save, and the
/// files themselves.
class Exporter : public QObject {
  Q_OBJECT
 public:
  /// Dialogs stand over `owner`, which owns this.
  Exporter(ExportSource source, QWidget* owner);

  /// Asks for a file name; a test puts its own answer in place of the dialog. Arguments: suggested
  /// name and filter; an empty answer means "none".
  using FileQuestion = std::function<QString(const QString& suggested, const QString& filter)>;
  void setFileQuestion(FileQuestion question) { file_question_ = std::move(question); }

  void addTo(QMenu& menu);
  /// Shows a menu of these entries at `position` on the screen; `extra` adds further ones above.
  void popUp(const QPoint& position, const std::function<void(QMenu&)>& extra = {});
  /// What the exported thing is called; may be empty.
  [[nodiscard]] QString title() const { return source_.title ? source_.title() : QString(); }
  /// Puts the numbers as "csv", "md" or "tex" on the clipboard.
  void copyText(const QString& suffix) const;
  void copyPicture() const;
  /// Writes a file in the format of its suffix: png, svg, pdf, csv, md, tex.
  [[nodiscard]] Status saveAs(const QString& path, int scale = 2) const;

 Q_SIGNALS:
  /// Saving did not work; `message` is for people.
  void failed(const QString& message);

 private:
  [[nodiscard]] QByteArray encoded(const QString& suffix, int scale) const;
  void addSave(QMenu& menu, const QString& text, const QString& suffix, int scale);
  void askAndSave(const QString& suffix, int scale);

  ExportSource source_;
  QWidget* owner_;
  FileQuestion file_question_;
};

/// The table in the format of a file suffix: "csv", "md" or "tex"; empty for others.
[[nodiscard]] QString encodeTable(const PlotTable& table, const QString& suffix);

}  // namespace dubito
