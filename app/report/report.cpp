// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/pages/overview_values.h"
#include "app/report/report_html.h"
#include "core/base/json_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QByteArray pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray pdfOf(const Analysis& analysis, const std::vector<ReportPage>& pages) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageOrientation(QPageLayout::Landscape);
    writer.setTitle(QString::fromStdString(analysis.name));
    writer.setCreator(QStringLiteral("Dubito"));
    writer.setResolution(300);
    QPainter painter(&writer);
    bool first = true;
    for (const ReportPage& page : pages) {
      if (!std::exchange(first, false)) {
        writer.newPage();
      }
      const QRect area = painter.viewport();
      painter.setFont(uiFont(TypeSize::kTitle, true));
      const int line = painter.fontMetrics().height();
      painter.drawText(area.left(), area.top() + line, page.title);
      painter.setFont(uiFont(TypeSize::kSmall));
      painter.drawText(area.left(), area.top() + 2 * line, provenance(analysis));
      const QRect room = area.adjusted(0, 3 * line, 0, 0);
      const QSize size = page.image.size().scaled(room.size(), Qt::KeepAspectRatio);
      painter.drawImage(QRect(room.topLeft(), size), page.image);
    }
  }
  return bytes;
}

}  // namespace

Status writeFile(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
    return fail(ErrorCode::kWriteFailed,
                QCoreApplication::translate("report",
                                            "%1: cannot be written (%2); choose another "
                                            "folder")
                    .arg(path, file.errorString())
                    .toStdString());
  }
  return {};
}

Expected<QStringList> writeReport(const QString& folder, const Analysis& analysis,
                                  const std::vector<ReportPage>& pages) {
  const QDir dir(folder);
  if (!dir.mkpath(QStringLiteral("."))) {
    return fail(ErrorCode::kWriteFailed,
                QCoreApplication::translate("report",
                                            "%1: the folder cannot be made; choose "
                                            "another one")
                    .arg(folder)
                    .toStdString());
  }
  std::vector<std::pair<QString, QByteArray>> files;
  files.reserve(pages.size() + 3);
  for (const ReportPage& page : pages) {
    files.emplace_back(page.name + QStringLiteral(".png"), pngOf(page.image));
  }
  const std::vector<std::pair<QString, QByteArray>> pictures = files;
  files.emplace_back(QStringLiteral("report.html"), reportHtml(analysis, pages, pictures));
  files.emplace_back(QStringLiteral("report.pdf"), pdfOf(analysis, pages));
  files.emplace_back(QStringLiteral("metrics.csv"),
                     QByteArray::fromStdString(metricsCsv(analysis.evaluation)));
  files.emplace_back(QStringLiteral("evaluation.json"),
                     QByteArray::fromStdString(jsonText(toJson(analysis.evaluation), 2) + "\n"));
  QStringList written;
  for (const auto& [name, content] : files) {
    const QString path = dir.filePath(name);
    if (const Status status = writeFile(path, content); !status) {
      return failWith(status);
    }
    written << path;
  }
  return written;
}

}  // namespace dubito
