// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

#include "core/base/expected.h"
#include "widgets/figure_format.h"
#include "widgets/plot_table.h"

class QMenu;
class QWidget;

namespace dubito {

/// The data that a plot or table can export. Formats without a function are not offered.
struct ExportSource {
  std::function<PlotTable()> table;  ///< the numbers shown, in full precision
  std::function<QByteArray(const PictureRequest& request)> picture;
  std::function<QString()> title;  ///< basis of the suggested file name
  /// Also offers Markdown and LaTeX, for pasting into documents.
  bool as_document = false;
};

/// Exports a plot or table: provides the copy and save entries of its context menu and writes the
/// files.
class Exporter : public QObject {
  Q_OBJECT
 public:
  /// Dialogs are centred on `owner`, which owns this object.
  Exporter(ExportSource source, QWidget* owner);

  /// Asks for a file name, given a suggested name and a filter. Returns an empty name if cancelled.
  /// Tests replace the dialog with another function.
  using FilePrompt = std::function<QString(const QString& suggested, const QString& filter)>;
  void setFilePrompt(FilePrompt question) { file_prompt_ = std::move(question); }

  /// Adds the copy and save entries to `menu`.
  void addTo(QMenu& menu);
  /// Shows a menu with the copy and save entries at the screen position `position`. `extra` adds
  /// entries above them.
  void popUp(const QPoint& position, const std::function<void(QMenu&)>& extra = {});
  /// Title of the exported plot or table; may be empty.
  [[nodiscard]] QString title() const { return source_.title ? source_.title() : QString(); }
  /// Copies the numbers to the clipboard as "csv", "md" or "tex".
  void copyText(const QString& suffix) const;
  void copyPicture() const;
  /// Writes a file in the format given by the suffix of `path`: png, svg, pdf, csv, md or tex.
  /// Pictures are as large as on screen, with theme and title as in figureFormat().
  [[nodiscard]] Status saveAs(const QString& path, int scale = 2) const;
  /// Writes a picture of the size, font size and look of `format`.
  [[nodiscard]] Status saveFigure(const QString& path, const FigureFormat& format) const;

 Q_SIGNALS:
  /// Saving failed; `message` is shown to the user.
  void failed(const QString& message);

 private:
  [[nodiscard]] QString textOf(const QString& suffix) const;
  [[nodiscard]] QStringList hiddenInLatex(const PlotTable& table) const;
  [[nodiscard]] QByteArray encoded(const PictureRequest& request) const;
  [[nodiscard]] Status write(const QString& path, const QByteArray& bytes) const;
  void addSave(QMenu& menu, const QString& text, const QString& suffix, int scale);
  void addColumns(QMenu& menu);
  /// Asks for a file and calls `save` with its path.
  void askAndSave(const QString& suffix, const std::function<Status(const QString&)>& save);
  void askForFigure();

  ExportSource source_;
  QWidget* owner_;
  FilePrompt file_prompt_;
  /// By column: whether LaTeX tables have it; others are as on screen.
  QHash<QString, bool> in_latex_;
};

/// Encodes the table as "csv", "md" or "tex" with a note as in exportNote(), which may be empty;
/// returns an empty string for other suffixes.
[[nodiscard]] QString encodeTable(const PlotTable& table, const QString& suffix,
                                  const QString& note);

}  // namespace dubito
