// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <vector>

#include "app/session/analysis.h"
#include "core/base/expected.h"

namespace dubito {

/// A picture of a page.
struct ReportPage {
  QString name;   ///< file name without suffix: "overview"
  QString title;  ///< heading in the report
  QImage image;
};

/// Writes into `folder` (made where missing): one PNG a page, report.html with the metric table and
/// the pages inside, report.pdf, metrics.csv, evaluation.json. Returns the files written. From any
/// thread.
[[nodiscard]] Expected<QStringList> writeReport(const QString& folder, const Analysis& analysis,
                                                const std::vector<ReportPage>& pages);

/// Writes `content` beside its place and renames it.
[[nodiscard]] Status writeFile(const QString& path, const QByteArray& content);

}  // namespace dubito
