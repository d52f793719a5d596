// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report.h"

#include <QBuffer>
#include <QDir>
#include <QSaveFile>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QByteArray pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

}  // namespace

Status writeFile(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
    return fail(ErrorCode::kWriteFailed, tr("%1: cannot write file (%2); choose another folder")
                                             .arg(path, file.errorString())
                                             .toStdString());
  }
  return {};
}

Expected<QStringList> writeReport(const QString& folder, const ReportInput& input,
                                  RunContext& context) {
  const Analysis& analysis = *input.source.analysis;
  const QDir dir(folder);
  if (!dir.mkpath(QStringLiteral("."))) {
    return fail(ErrorCode::kWriteFailed,
                tr("%1: cannot create folder; choose another one").arg(folder).toStdString());
  }
  const Expected<ReportContent> content = reportContent(input.source, input.figures, context);
  if (!content) {
    return failWith(content);
  }
  std::vector<std::pair<QString, QByteArray>> files;
  files.reserve(input.pages.size() + 4);
  for (const ReportPage& page : input.pages) {
    files.emplace_back(page.name + QStringLiteral(".png"), pngOf(page.image));
  }
  files.emplace_back(QStringLiteral("report.html"), reportHtml(*content));
  files.emplace_back(QStringLiteral("report.pdf"), reportPdf(*content));
  files.emplace_back(QStringLiteral("metrics.csv"),
                     QByteArray::fromStdString(metricsCsv(analysis.evaluation)));
  files.emplace_back(QStringLiteral("evaluation.json"),
                     QByteArray::fromStdString(jsonText(toJson(analysis.evaluation), 2) + "\n"));
  QStringList written;
  for (const auto& [name, bytes] : files) {
    const QString path = dir.filePath(name);
    if (const Status status = writeFile(path, bytes); !status) {
      return failWith(status);
    }
    written << path;
  }
  return written;
}

}  // namespace dubito
