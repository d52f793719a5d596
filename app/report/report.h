// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <vector>

#include "app/report/report_content.h"
#include "core/base/expected.h"

namespace dubito {

/// A picture of a page of the window.
struct ReportPage {
  QString name;  ///< file name without suffix: "overview"
  QImage image;
};

/// What a report is written from. The figures and pages are made on the GUI thread, the rest where
/// the report is written.
struct ReportInput {
  ReportSource source;
  std::vector<ReportFigure> figures;
  std::vector<ReportPage> pages;
};

/// Writes into `folder` (created if absent): report.html and report.pdf, the document; metrics.csv
/// and evaluation.json; one PNG per page of the window. Returns the files written. From any thread.
[[nodiscard]] Expected<QStringList> writeReport(const QString& folder, const ReportInput& input,
                                                RunContext& context);

/// Writes `content` to a temporary file and renames it.
[[nodiscard]] Status writeFile(const QString& path, const QByteArray& content);

}  // namespace dubito
