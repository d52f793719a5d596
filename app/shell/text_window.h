// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <vector>

class QTextBrowser;

namespace dubito {

/// A table row: a name in bold, followed by cells.
struct TextRow {
  QString name;
  QStringList cells;
};

// HTML elements for TextWindow, from plain text.
[[nodiscard]] QString headingHtml(const QString& text);
[[nodiscard]] QString paragraphHtml(const QString& text);
[[nodiscard]] QString tableHtml(const std::vector<TextRow>& rows);

/// A window with a text that can be selected and copied. Not modal.
class TextWindow : public QDialog {
  Q_OBJECT
 public:
  TextWindow(const char* name, const QString& title, QWidget* parent = nullptr);

  /// Shows `html` and raises the window.
  void open(const QString& html);
  /// The text without formatting, as copied by the button Copy text.
  [[nodiscard]] QString plainText() const;

 private:
  QTextBrowser* text_;
};

}  // namespace dubito
