// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/batch.h"

#include <QDir>
#include <ranges>

#include "app/labs/figures/lab_figures.h"
#include "app/labs/labs_page.h"
#include "app/report/study_pdf.h"
#include "app/session/error_text.h"
#include "app/shell/page_stack.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Of a laboratory in the pictures of figures.
constexpr int kFigureSeconds = 90;

}  // namespace

int runReport(const BatchInput& input, const QString& folder) {
  BatchWindow batch;
  batch.window().resize(1440, 900);
  if (!batch.fill(input)) {
    return 1;
  }
  static_cast<void>(batch.window().grabPages());  // lays out hidden pages, so that they load
  // What a page shows is read when it is shown; the first one stays.
  for (const PageInfo& page : allPages() | std::views::reverse) {
    if (page.shows_run) {
      batch.window().showPage(page.id);
      batch.settle();
    }
  }
  RunContext context;
  const Expected<QStringList> files = writeReport(folder, batch.window().reportInput(), context);
  if (!files) {
    say(errorText(files.error()));
    return 1;
  }
  say(tr("Report written to %1:").arg(QDir(folder).absolutePath()));
  for (const QString& file : *files) {
    say(QStringLiteral("  ") + QDir(folder).relativeFilePath(file));
  }
  return 0;
}

int runStudyReport(const QString& folder) {
  const Expected<QString> file = writeStudyPdf(folder);
  if (!file) {
    say(errorText(file.error()));
    return 1;
  }
  say(QDir::toNativeSeparators(*file));
  return 0;
}

int runFigures(const QString& folder, const QSize& size) {
  if (!makeFolder(folder)) {
    return 1;
  }
  BatchWindow batch;
  MainWindow& window = batch.window();
  window.resize(size);
  window.show();
  window.showPage(PageId::kLabs);
  for (const LabFigure& figure : labFigures()) {
    const QString file = QDir(folder).filePath(QString::fromStdString(figure.key + ".png"));
    say(file);
    window.pages().labs().showFigure(figure);
    BatchWindow::play(window.pages().labs(), kFigureSeconds);
    batch.settle();
    if (!window.grab().save(file)) {
      sayCannotWrite(folder);
      return 1;
    }
  }
  return 0;
}

}  // namespace dubito
