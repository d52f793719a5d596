// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <vector>

#include "app/report/report_content.h"
#include "core/base/expected.h"

namespace dubito {

/// Screenshot of one page of the window.
struct ReportPage {
  QString name;  ///< file name without suffix: "overview"
  QImage image;
};

/// Input of a report. Figures and pages are rendered on the GUI thread beforehand; everything else
/// is computed by the thread that writes the report.
struct ReportInput {
  ReportSource source;
  std::vector<ReportFigure> figures;
  std::vector<ReportPage> pages;
};

/// Writes a report into `folder` (created if absent): report.html and report.pdf with the same
/// content, metrics.csv, evaluation.json, and one PNG per page of the window. Returns the files
/// written. Can be called on any thread.
[[nodiscard]] Expected<QStringList> writeReport(const QString& folder, const ReportInput& input,
                                                RunContext& context);

/// Writes `content` atomically, via a temporary file.
[[nodiscard]] Status writeFile(const QString& path, const QByteArray& content);

}  // namespace dubito
