// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <vector>

class QTextBrowser;

namespace dubito {

/// A line of a table of texts: what it is about, bold, and the rest.
struct TextRow {
  QString name;
  QStringList cells;
};

/// Parts of a text for TextWindow; the texts are plain.
[[nodiscard]] QString headingHtml(const QString& text);
[[nodiscard]] QString paragraphHtml(const QString& text);
[[nodiscard]] QString tableHtml(const std::vector<TextRow>& rows);

/// A text to read, select and copy; not modal.
class TextWindow : public QDialog {
  Q_OBJECT
 public:
  TextWindow(const char* name, const QString& title, QWidget* parent = nullptr);

  /// Shows `html` and brings the window to the front.
  void open(const QString& html);
  /// What the button copies: all of the text, without its formats.
  [[nodiscard]] QString plainText() const;

 private:
  QTextBrowser* text_;
};

}  // namespace dubito
