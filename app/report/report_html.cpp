// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>

#include "app/report/report_content.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr char kStyle[] =
    "body{font:14px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff;margin:2rem auto;"
    "max-width:960px;padding:0 1rem}h1{font-size:24px;margin-bottom:0}h2{font-size:18px;"
    "margin-top:2.2rem;border-bottom:1px solid #e6e8eb;padding-bottom:4px}h3{font-size:14px;"
    "margin:1.4rem 0 .3rem}p.muted,dt,figcaption,.muted{color:#59636e}dl{display:grid;"
    "grid-template-columns:max-content 1fr;gap:2px 16px}dd{margin:0;overflow-wrap:anywhere}"
    ".figures{display:flex;flex-wrap:wrap;gap:20px}figure{margin:0;max-width:460px}figure b{"
    "display:block}figure img{width:100%;height:auto}figcaption{font-size:12px}.scroll{overflow-x:"
    "auto}table{border-collapse:collapse}th,td{padding:3px 12px;text-align:right;"
    "font-variant-numeric:tabular-nums;border-bottom:1px solid #f0f1f3}th{color:#59636e;"
    "font-weight:600}th:first-child,td:first-child,table.text th,table.text td{text-align:left;"
    "vertical-align:top}.images{display:flex;flex-wrap:wrap;gap:14px}.images div{width:124px;"
    "font-size:12px;overflow-wrap:anywhere}.images img{width:112px;height:112px;object-fit:"
    "contain;image-rendering:pixelated;background:#f6f7f9;display:block}.notes{background:#fff8e6;"
    "border-left:4px solid #e69f00;padding:8px 12px}.notes ul{margin:0;padding-left:18px}.swatch{"
    "display:inline-block;width:11px;height:11px;margin:0 5px 0 12px}@media print{figure,.images "
    "div{break-inside:avoid}}";

QString dataUri(const char* type, const QByteArray& bytes) {
  return QStringLiteral("data:%1;base64,%2")
      .arg(QLatin1String(type), QString::fromLatin1(bytes.toBase64()));
}

QString heading(const QString& text) {
  return QStringLiteral("<h2>%1</h2>\n").arg(text.toHtmlEscaped());
}

QString muted(const QString& text) {
  return text.isEmpty() ? QString()
                        : QStringLiteral("<p class=\"muted\">%1</p>\n").arg(text.toHtmlEscaped());
}

QString tableHtml(const ReportTable& table) {
  const auto line = [](const QStringList& cells, const char* tag) {
    QString html = QStringLiteral("<tr>");
    for (const QString& cell : cells) {
      html += QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), cell.toHtmlEscaped());
    }
    return html + QStringLiteral("</tr>\n");
  };
  QString html = QStringLiteral("<h3>%1</h3>\n").arg(table.title.toHtmlEscaped()) +
                 muted(table.caption) +
                 QStringLiteral("<div class=\"scroll\"><table%1>\n")
                     .arg(table.is_text ? " class=\"text\"" : "");
  html += line(table.columns, "th");
  for (const QStringList& row : table.rows) {
    html += line(row, "td");
  }
  return html + QStringLiteral("</table></div>\n");
}

QString tablesHtml(const QString& title, const std::vector<ReportTable>& tables) {
  QString html = tables.empty() ? QString() : heading(title);
  for (const ReportTable& table : tables) {
    html += tableHtml(table);
  }
  return html;
}

/// The figures of one section.
QString figuresHtml(const ReportContent& content, const QString& section) {
  QString html;
  for (const ReportFigure& figure : content.figures) {
    if (figure.section == section) {
      html += QStringLiteral(
                  "<figure><b>%1</b><img alt=\"%1\" width=\"%2\" height=\"%3\" src=\"%4\">"
                  "<figcaption>%5</figcaption></figure>\n")
                  .arg(figure.title.toHtmlEscaped())
                  .arg(figure.size.width())
                  .arg(figure.size.height())
                  .arg(dataUri("image/svg+xml", figure.svg), figure.caption.toHtmlEscaped());
    }
  }
  return QStringLiteral("<div class=\"figures\">\n%1</div>\n").arg(html);
}

QString imagesHtml(const ReportImages& group) {
  QString html = QStringLiteral("<h3>%1</h3>\n").arg(group.title.toHtmlEscaped()) +
                 muted(group.caption) + QStringLiteral("<div class=\"images\">\n");
  for (const ReportImage& image : group.images) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    const bool any = !image.picture.isNull() && image.picture.save(&buffer, "PNG");
    html += QStringLiteral("<div>%1<b>%2</b><br>%3<br><span class=\"muted\">%4</span></div>\n")
                .arg(any ? QStringLiteral("<img alt=\"%1\" src=\"%2\">")
                               .arg(image.name.toHtmlEscaped(), dataUri("image/png", png))
                         : QString(),
                     image.verdict.toHtmlEscaped(), image.value.toHtmlEscaped(),
                     image.name.toHtmlEscaped());
  }
  return html + QStringLiteral("</div>\n");
}

QString settingsHtml(const ReportContent& content) {
  QString html = heading(tr("Settings")) + QStringLiteral("<dl>\n");
  for (const auto& [name, value] : content.settings) {
    html +=
        QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(name.toHtmlEscaped(), value.toHtmlEscaped());
  }
  return html + QStringLiteral("</dl>\n");
}

QString notesHtml(const QStringList& notes) {
  if (notes.isEmpty()) {
    return {};
  }
  QString html = heading(tr("Notes")) + QStringLiteral("<div class=\"notes\"><ul>\n");
  for (const QString& note : notes) {
    html += QStringLiteral("<li>%1</li>\n").arg(note.toHtmlEscaped());
  }
  return html + QStringLiteral("</ul></div>\n");
}

}  // namespace

QByteArray reportHtml(const ReportContent& content) {
  QString html = QStringLiteral(
                     "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                     "<meta name=\"viewport\" content=\"width=device-width\">"
                     "<title>%1</title><style>%2</style></head><body>\n<h1>%1</h1>\n")
                     .arg(content.title.toHtmlEscaped(), QLatin1String(kStyle));
  html += muted(content.subtitle) + notesHtml(content.notes);
  html += tablesHtml(tr("Metrics"), content.metrics);
  QStringList sections;
  for (const ReportFigure& figure : content.figures) {
    if (!sections.contains(figure.section)) {
      sections << figure.section;
    }
  }
  for (const QString& section : sections) {
    html += heading(section);
    if (section == sections.first() && !content.groups.empty()) {
      html += QStringLiteral("<p class=\"muted\">%1").arg(tr("Colours:"));
      for (const auto& [name, color] : content.groups) {
        html += QStringLiteral("<span class=\"swatch\" style=\"background:%1\"></span>%2")
                    .arg(color.name(), name.toHtmlEscaped());
      }
      html += QStringLiteral("</p>\n");
    }
    html += figuresHtml(content, section);
  }
  html += tablesHtml(tr("Compared runs"), content.comparison);
  if (!content.images.empty()) {
    html += heading(tr("Images"));
    for (const ReportImages& group : content.images) {
      html += imagesHtml(group);
    }
  }
  html += settingsHtml(content) + tablesHtml(tr("Conventions"), content.conventions);
  return (html + QStringLiteral("</body></html>\n")).toUtf8();
}

}  // namespace dubito
