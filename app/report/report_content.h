// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QSize>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "app/session/shift_request.h"
#include "core/analysis/analysis.h"
#include "core/metrics/reliability.h"

namespace dubito {

/// The runs of a report.
struct ReportSource {
  AnalysisPtr analysis;               ///< run shown; not null
  ReliabilityPtr reliability;         ///< its diagram as shown in the window; may be null
  std::vector<AnalysisPtr> compared;  ///< all runs; a comparison needs two
  ShiftResultPtr shift;               ///< may be null
  std::vector<std::string> names{};   ///< names of `compared`, see compareRuns
};

/// A plot in vector format.
struct ReportFigure {
  QString section;  ///< heading above the figure
  QString title;
  QString caption;
  QByteArray svg;
  QSize size;  ///< in device-independent pixels
};

/// A table: names in the first column, numbers as text in the others.
struct ReportTable {
  QString title;
  QString caption;
  QStringList columns;
  std::vector<QStringList> rows;
  bool is_text = false;  ///< all columns contain text
};

/// An item with its prediction.
struct ReportImage {
  QImage picture;  ///< null if not available
  QString name;
  QString verdict;  ///< "predicted 2, label 8"
  QString value;    ///< "confidence 99.12 %"
};
struct ReportImages {
  QString title;
  QString caption;
  std::vector<ReportImage> images;
  [[nodiscard]] bool hasPictures() const;
};

/// The content of a report, independent of the file format.
struct ReportContent {
  QString title;
  QString subtitle;
  std::vector<std::pair<QString, QString>> settings;  ///< name and value, as shown
  std::vector<std::pair<QString, QColor>> groups;     ///< colour key of the figures
  QStringList notes;                                  ///< caveats for readers of the numbers
  std::vector<ReportFigure> figures;
  std::vector<ReportTable> metrics;
  std::vector<ReportTable> comparison;
  std::vector<ReportImages> images;
  std::vector<ReportTable> conventions;
};

/// Collects the content. Decodes images and visits all items: call on a worker thread. kCancelled.
[[nodiscard]] Expected<ReportContent> reportContent(const ReportSource& source,
                                                    std::vector<ReportFigure> figures,
                                                    RunContext& context);

/// Settings of the run, as shown.
[[nodiscard]] std::vector<std::pair<QString, QString>> reportSettings(const Analysis& analysis);
/// The most confident mistakes, the most uncertain items and the most confident OOD items.
[[nodiscard]] Expected<std::vector<ReportImages>> reportImages(const AnalysisPtr& analysis,
                                                               RunContext& context);

/// The document in two formats: HTML with inline SVG figures, and PDF.
[[nodiscard]] QByteArray reportHtml(const ReportContent& content);
[[nodiscard]] QByteArray reportPdf(const ReportContent& content);

}  // namespace dubito
