// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QSize>
#include <QString>
#include <QStringList>
#include <map>
#include <utility>
#include <vector>

#include "app/report/svg_text.h"
#include "app/shift/shift_request.h"
#include "core/analysis/analysis.h"
#include "core/metrics/run_reliability.h"

namespace dubito {

class Session;

/// The runs of a report.
struct ReportSource {
  AnalysisPtr analysis;               ///< run shown; not null
  ReliabilityPtr reliability;         ///< reliability diagram as shown in the window; may be null
  std::vector<AnalysisPtr> compared;  ///< all open runs; with fewer than two, nothing is compared
  ShiftResultPtr shift;               ///< result of the Shift page; may be null
  std::vector<std::string> names{};   ///< names of `compared`, see compareRuns
};

/// The run that `session` shows, with all open ones. There must be a run. `shift`: as shown by the
/// page Shift, or null; left out if it belongs to another run.
[[nodiscard]] ReportSource reportSource(const Session& session, const ShiftResultPtr& shift);

/// A plot in vector format. In the PDF, `texts` are drawn over it, in its coordinates.
struct ReportFigure {
  QString section;  ///< heading above the figure
  QString title;
  QString caption;
  QByteArray svg;
  QSize size;  ///< in device-independent pixels
  std::vector<SvgText> texts = {};
};

/// How a cell of a table stands out in the PDF.
enum class ReportMark {
  kBest,   ///< bold
  kBroken  ///< orange
};

/// A table with names in the first columns and formatted numbers in the others.
struct ReportTable {
  QString title;
  QString caption;
  QStringList columns;
  std::vector<QStringList> rows;
  bool is_text = false;   ///< the other columns contain text instead of numbers
  int names = 1;          ///< leading columns with names, at least 1
  int together = 1;       ///< so many columns of numbers stay side by side, if they fit
  bool is_dense = false;  ///< small text, for many columns
  std::map<std::pair<std::size_t, int>, ReportMark> marks = {};  ///< by row and column
};

/// The picture of an item, with its prediction.
struct ReportImage {
  QImage picture;  ///< null if not available
  QString name;
  QString verdict;  ///< "predicted 2, label 8"
  QString value;    ///< "confidence 99.12 %"
};
/// A titled group of images.
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
  QStringList notes;                                  ///< caveats about the numbers
  std::vector<ReportFigure> figures;
  std::vector<ReportTable> metrics;
  std::vector<ReportTable> comparison;
  std::vector<ReportImages> images;
  std::vector<ReportTable> conventions;
};

/// Collects the content of a report. Call it on a worker thread: it decodes images and visits all
/// items. Returns kCancelled if cancelled.
[[nodiscard]] Expected<ReportContent> reportContent(const ReportSource& source,
                                                    std::vector<ReportFigure> figures,
                                                    RunContext& context);

/// Names and values of the settings of the run, as displayed.
[[nodiscard]] std::vector<std::pair<QString, QString>> reportSettings(const Analysis& analysis);
/// Three groups of images: the most confident mistakes, the most uncertain items and the most
/// confident OOD items.
[[nodiscard]] Expected<std::vector<ReportImages>> reportImages(const AnalysisPtr& analysis,
                                                               RunContext& context);

// The document in two formats: HTML with inline SVG figures, and PDF.
[[nodiscard]] QByteArray reportHtml(const ReportContent& content);
[[nodiscard]] QByteArray reportPdf(const ReportContent& content);

}  // namespace dubito
