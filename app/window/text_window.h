// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <vector>

class QTextBrowser;

namespace dubito {

/// A table row: a bold name, then cells.
struct TextRow {
  QString name;
  QStringList cells;
};

/// Parts of a text for TextWindow, from plain strings.
[[nodiscard]] QString headingHtml(const QString& text);
[[nodiscard]] QString paragraphHtml(const QString& text);
[[nodiscard]] QString tableHtml(const std::vector<TextRow>& rows);

/// A text that can be selected and copied; not modal.
class TextWindow : public QDialog {
  Q_OBJECT
 public:
  TextWindow(const char* name, const QString& title, QWidget* parent = nullptr);

  /// Shows `html` and raises the window.
  void open(const QString& html);
  /// The text as copied by the button, without formatting.
  [[nodiscard]] QString plainText() const;

 private:
  QTextBrowser* text_;
};

}  // namespace dubito
