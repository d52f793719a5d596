// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help_pages.h"

#include <QFile>
#include <QRegularExpression>
#include <QTextDocument>

// Q_INIT_RESOURCE must be called outside any namespace. Without it the linker drops the pages.
static void registerHelpPages() {
  Q_INIT_RESOURCE(help_pages);
}

namespace dubito {
namespace {

QString textOfPage(const QString& page) {
  registerHelpPages();
  QFile file(QStringLiteral(":/help/") + page);
  return file.open(QIODevice::ReadOnly | QIODevice::Text) ? QString::fromUtf8(file.readAll())
                                                          : QString();
}

QString htmlOf(QString markdown) {
  static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)\n*"));
  static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
  markdown.remove(picture);
  markdown.replace(link, QStringLiteral("\\1"));
  QTextDocument document;
  document.setMarkdown(markdown);
  return document.toHtml();
}

/// The part of `markdown` from the heading "## `title`" to the next one; empty if there is none.
QString sectionOf(const QString& markdown, const QString& title) {
  const QString mark = QStringLiteral("\n## ");
  const QString heading = mark + title + u'\n';
  const qsizetype begin = markdown.indexOf(heading);
  if (begin < 0) {
    return {};
  }
  const qsizetype end = markdown.indexOf(mark, begin + mark.size());
  return markdown.mid(begin, end < 0 ? -1 : end - begin);
}

}  // namespace

QString helpPageHtml(const QString& page) {
  const QString text = textOfPage(page);
  return text.isEmpty() ? text : htmlOf(text);
}

QString laboratoryHelpHtml(const LaboratoryInfo& laboratory) {
  const QString text =
      sectionOf(textOfPage(QStringLiteral("labs.md")), QString::fromUtf8(laboratory.name));
  return text.isEmpty() ? text : htmlOf(text);
}

}  // namespace dubito
