// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exporter.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QSaveFile>

#include "widgets/export_note.h"
#include "widgets/figure_dialog.h"
#include "widgets/latex_table.h"
#include "widgets/tick_menu.h"

namespace dubito {
namespace {

constexpr int kDefaultScale = 2;

/// The table with a last column of equal cells, for CSV.
PlotTable withExtraColumn(PlotTable table, const QString& name, const QString& cell) {
  table.columns << name;
  for (std::vector<QVariant>& row : table.rows) {
    row.push_back(cell);
  }
  return table;
}

}  // namespace

QString encodeTable(const PlotTable& table, const QString& suffix, const QString& note) {
  if (suffix == QLatin1String("csv")) {
    return toCsv(note.isEmpty() ? table
                                : withExtraColumn(table, QStringLiteral("label_source"), note));
  }
  if (suffix == QLatin1String("md")) {
    return toMarkdown(table) + (note.isEmpty() ? QString() : u'\n' + note + u'\n');
  }
  if (suffix == QLatin1String("tex")) {
    // A comment needs no commands, but a thin space is no ASCII.
    const QString comment = QStringLiteral("% ") + QString(note).replace(u'\u202F', u' ') + u'\n';
    return toLatex(table) + (note.isEmpty() ? QString() : comment);
  }
  return {};
}

Exporter::Exporter(ExportSource source, QWidget* owner)
    : QObject(owner), source_(std::move(source)), owner_(owner) {
  setObjectName(QStringLiteral("exporter"));
  file_prompt_ = [this](const QString& suggested, const QString& filter) {
    return QFileDialog::getSaveFileName(owner_, tr("Save"), suggested, filter);
  };
}

QString Exporter::textOf(const QString& suffix) const {
  PlotTable table = source_.table();
  if (suffix == QLatin1String("tex")) {
    table = shownPart(table, hiddenInLatex(table));
  }
  return encodeTable(table, suffix, exportNote(*owner_));
}

QStringList Exporter::hiddenInLatex(const PlotTable& table) const {
  QStringList hidden;
  for (const QString& column : table.columns) {
    if (!in_latex_.value(column, !table.hidden_columns.contains(column))) {
      hidden << column;
    }
  }
  return hidden;
}

QByteArray Exporter::encoded(const PictureRequest& request) const {
  if (source_.table) {
    if (const QString text = textOf(request.suffix); !text.isEmpty()) {
      return text.toUtf8();
    }
  }
  return source_.picture ? source_.picture(request) : QByteArray();
}

void Exporter::copyText(const QString& suffix) const {
  QApplication::clipboard()->setText(textOf(suffix));
}

void Exporter::copyPicture() const {
  QApplication::clipboard()->setImage(QImage::fromData(source_.picture(
      {.suffix = QStringLiteral("png"), .scale = kDefaultScale, .format = figureFormat()})));
}

void Exporter::addTo(QMenu& menu) {
  const auto copy = [&](const QString& text, const QString& suffix) {
    menu.addAction(text, this, [this, suffix] { copyText(suffix); });
  };
  copy(tr("Copy as CSV"), QStringLiteral("csv"));
  if (source_.as_document) {
    copy(tr("Copy as Markdown"), QStringLiteral("md"));
    copy(tr("Copy as LaTeX"), QStringLiteral("tex"));
  }
  if (source_.picture) {
    menu.addAction(tr("Copy as PNG"), this, &Exporter::copyPicture);
  }
  if (source_.as_document && source_.table) {
    addColumns(menu);
  }
  menu.addSeparator();
  if (source_.picture) {
    for (const int scale : {1, kDefaultScale, 4}) {
      addSave(menu, tr("Save as PNG, %1× size…").arg(scale), QStringLiteral("png"), scale);
    }
    addSave(menu, tr("Save as SVG…"), QStringLiteral("svg"), 1);
    addSave(menu, tr("Save as PDF…"), QStringLiteral("pdf"), 1);
    menu.addAction(tr("Figure for a paper or slide…"), this, &Exporter::askForFigure);
  }
  addSave(menu, tr("Save as CSV…"), QStringLiteral("csv"), 1);
  if (source_.as_document) {
    addSave(menu, tr("Save as Markdown…"), QStringLiteral("md"), 1);
    addSave(menu, tr("Save as LaTeX…"), QStringLiteral("tex"), 1);
  }
}

void Exporter::popUp(const QPoint& position, const std::function<void(QMenu&)>& extra) {
  auto* const menu = new QMenu(owner_);
  menu->setObjectName(QStringLiteral("exportContextMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (extra) {
    extra(*menu);
    menu->addSeparator();
  }
  addTo(*menu);
  menu->popup(position);
}

void Exporter::addSave(QMenu& menu, const QString& text, const QString& suffix, int scale) {
  menu.addAction(text, this, [this, suffix, scale] {
    askAndSave(suffix, [this, scale](const QString& path) { return saveAs(path, scale); });
  });
}

void Exporter::addColumns(QMenu& menu) {
  auto* const choices = new TickMenu(tr("Columns in LaTeX"), &menu);
  choices->setObjectName(QStringLiteral("latexColumns"));
  menu.addMenu(choices);
  // Filled when shown: a table may be large.
  connect(choices, &QMenu::aboutToShow, this, [this, choices] {
    if (choices->hasTicks()) {
      return;
    }
    const PlotTable table = source_.table();
    const QStringList hidden = hiddenInLatex(table);
    for (const QString& column : table.columns.mid(1)) {
      choices->addTick(column, !hidden.contains(column),
                       [this, column](bool is_shown) { in_latex_[column] = is_shown; });
    }
  });
}

void Exporter::askForFigure() {
  auto* const dialog = new FigureDialog(figureFormat(), owner_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    setFigureFormat(dialog->format());
    askAndSave(dialog->suffix(),
               [this](const QString& path) { return saveFigure(path, figureFormat()); });
  });
  dialog->open();
}

void Exporter::askAndSave(const QString& suffix,
                          const std::function<Status(const QString&)>& save) {
  QString stem = title().toLower();
  // A title may contain characters that are invalid in file names.
  for (const QChar letter : QStringLiteral("/\\:*?\"<>|")) {
    stem.replace(letter, u' ');
  }
  stem = stem.simplified().replace(u' ', u'-');
  if (stem.isEmpty()) {
    stem = source_.picture ? QStringLiteral("plot") : QStringLiteral("table");
  }
  const QString path = file_prompt_(stem + u'.' + suffix, "*." + suffix);
  if (path.isEmpty()) {
    return;
  }
  const QString full = QFileInfo(path).suffix().isEmpty() ? path + u'.' + suffix : path;
  if (const Status status = save(full); !status) {
    Q_EMIT failed(QString::fromStdString(status.error().message));
  }
}

Status Exporter::saveAs(const QString& path, int scale) const {
  return write(path, encoded({.suffix = QFileInfo(path).suffix().toLower(),
                              .scale = scale,
                              .format = figureFormat()}));
}

Status Exporter::saveFigure(const QString& path, const FigureFormat& format) const {
  return write(path, encoded({.suffix = QFileInfo(path).suffix().toLower(),
                              .scale = kDefaultScale,
                              .format = format,
                              .has_size = true}));
}

Status Exporter::write(const QString& path, const QByteArray& bytes) const {
  if (bytes.isEmpty()) {
    const QString remedy =
        source_.picture ? QStringLiteral("unsupported picture format; use .png, .svg, .pdf or .csv")
                        : QStringLiteral("unsupported table format; use .csv, .md or .tex");
    return fail(ErrorCode::kUnsupported, (path + ": " + remedy).toStdString());
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
    return fail(ErrorCode::kWriteFailed, QStringLiteral("%1: %2; choose a writable folder")
                                             .arg(path, file.errorString())
                                             .toStdString());
  }
  return {};
}

}  // namespace dubito
