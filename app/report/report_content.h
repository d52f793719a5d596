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

/// The runs that a report is about.
struct ReportSource {
  AnalysisPtr analysis;               ///< the run shown; not null
  ReliabilityPtr reliability;         ///< of it, as the window shows it; may be null
  std::vector<AnalysisPtr> compared;  ///< all runs; Compare needs two
  ShiftResultPtr shift;               ///< may be null
  std::vector<std::string> names{};   ///< as compareRuns takes them; of `compared`
};

/// A plot as vectors.
struct ReportFigure {
  QString section;  ///< heading that it stands under
  QString title;
  QString caption;
  QByteArray svg;
  QSize size;  ///< in device-independent pixels
};

/// A table whose first column holds names, and whose others hold numbers as text.
struct ReportTable {
  QString title;
  QString caption;
  QStringList columns;
  std::vector<QStringList> rows;
  bool is_text = false;  ///< all columns hold text
};

/// An item with what the model says of it.
struct ReportImage {
  QImage picture;  ///< null if it has none
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

/// A report before it is a file.
struct ReportContent {
  QString title;
  QString subtitle;
  std::vector<std::pair<QString, QString>> settings;  ///< name, value in words
  std::vector<std::pair<QString, QColor>> groups;     ///< colours of the figures
  QStringList notes;                                  ///< what a reader of the numbers must know
  std::vector<ReportFigure> figures;
  std::vector<ReportTable> metrics;
  std::vector<ReportTable> comparison;
  std::vector<ReportImages> images;
  std::vector<ReportTable> conventions;
};

/// Collects the content. Reads images and walks all items: for a worker thread. kCancelled.
[[nodiscard]] Expected<ReportContent> reportContent(const ReportSource& source,
                                                    std::vector<ReportFigure> figures,
                                                    RunContext& context);

/// How the run came about, in words.
[[nodiscard]] std::vector<std::pair<QString, QString>> reportSettings(const Analysis& analysis);
/// The most confident mistakes, the most uncertain items and the most confident OOD items.
[[nodiscard]] Expected<std::vector<ReportImages>> reportImages(const AnalysisPtr& analysis,
                                                               RunContext& context);

/// A page of the document, for the formats: SVG figures at their size, tables of text.
[[nodiscard]] QByteArray reportHtml(const ReportContent& content);
[[nodiscard]] QByteArray reportPdf(const ReportContent& content);

}  // namespace dubito
