// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/text_window.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QVBoxLayout>

#include "widgets/theme.h"

namespace dubito {
namespace {

/// Separates table cells by tabs; QTextDocument::toPlainText would put each on its own line.
QString textOf(const QTextFrame& frame) {
  QStringList lines;
  for (auto at = frame.begin(); !at.atEnd(); ++at) {
    const auto* const table = qobject_cast<const QTextTable*>(at.currentFrame());
    if (table == nullptr) {
      lines << at.currentBlock().text();
      continue;
    }
    for (int row = 0; row < table->rows(); ++row) {
      QStringList cells;
      for (int column = 0; column < table->columns(); ++column) {
        cells << table->cellAt(row, column).firstCursorPosition().block().text();
      }
      lines << cells.join(u'\t');
    }
  }
  return lines.join(u'\n').trimmed() + u'\n';
}

}  // namespace

QString headingHtml(const QString& text) {
  return QStringLiteral("<p style=\"font-size:%1pt; font-weight:bold;\">%2</p>")
      .arg(static_cast<int>(TypeSize::kTitle))
      .arg(text.toHtmlEscaped());
}

QString paragraphHtml(const QString& text) {
  return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

QString tableHtml(const std::vector<TextRow>& rows) {
  QString html = QStringLiteral("<table cellpadding=\"2\">");
  for (const TextRow& row : rows) {
    html += QStringLiteral("<tr><td style=\"padding-right:16px;\"><b>%1</b></td>")
                .arg(row.name.toHtmlEscaped());
    for (const QString& cell : row.cells) {
      html += QStringLiteral("<td style=\"padding-right:16px;\">%1</td>").arg(cell.toHtmlEscaped());
    }
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

TextWindow::TextWindow(const char* name, const QString& title, QWidget* parent)
    : QDialog(parent), text_(new QTextBrowser(this)) {
  setObjectName(QLatin1String(name));
  setWindowTitle(title);
  resize(150 * kGrid, 140 * kGrid);
  text_->setObjectName(QLatin1String(name) + QStringLiteral("Text"));
  text_->setAccessibleName(title);
  text_->document()->setDocumentMargin(3 * kGrid);
  auto* const copy = new QPushButton(tr("Copy text"), this);
  copy->setObjectName(QLatin1String(name) + QStringLiteral("Copy"));
  copy->setAutoDefault(false);
  auto* const close = new QPushButton(tr("Close"), this);
  close->setObjectName(QLatin1String(name) + QStringLiteral("Close"));
  close->setDefault(true);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addWidget(copy);
  buttons->addStretch(1);
  buttons->addWidget(close);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_, 1);
  layout->addLayout(buttons);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(plainText()); });
  connect(close, &QPushButton::clicked, this, &QDialog::close);
}

void TextWindow::open(const QString& html) {
  text_->setHtml(html);
  show();
  raise();
  activateWindow();
}

QString TextWindow::plainText() const {
  return textOf(*text_->document()->rootFrame());
}

}  // namespace dubito
