// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/key_list.h"

#include <QAction>
#include <QKeySequence>
#include <QStringList>
#include <QWidget>
#include <algorithm>

#include "app/review/review_page.h"
#include "app/shell/text_window.h"
#include "app/words/plain_keys.h"
#include "widgets/tr.h"

namespace dubito {

std::vector<KeyLine> keysOf(const QWidget& window) {
  std::vector<KeyLine> lines;
  for (const QAction* const action : window.findChildren<QAction*>()) {
    QStringList keys;
    for (const QKeySequence& shortcut : action->shortcuts()) {
      keys << shortcut.toString(QKeySequence::NativeText);
    }
    for (const Qt::Key key : plainKeys(*action)) {
      keys << QKeySequence(key).toString(QKeySequence::NativeText);
    }
    KeyLine line{keys.join(QStringLiteral(", ")), action->text()};
    line.meaning.remove(u'&').remove(QChar(0x2026));
    // List rows share their commands; show each only once.
    const bool known = std::ranges::any_of(lines, [&line](const KeyLine& other) {
      return other.keys == line.keys && other.meaning == line.meaning;
    });
    if (!keys.isEmpty() && !line.meaning.isEmpty() && !known) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

QString keysAsHtml(const QWidget& window) {
  std::vector<TextRow> rows;
  for (const KeyLine& line : keysOf(window)) {
    rows.push_back({line.keys, {line.meaning}});
  }
  const std::vector<TextRow> of_mouse = {
      {tr("drag in a histogram"), {tr("select a range")}},
      {tr("click a reliability bin"), {tr("select its items")}},
      {tr("click a confusion cell"), {tr("list its items")}},
      {tr("scroll over a plot"), {tr("zoom")}},
      {tr("double-click a plot"), {tr("reset the zoom")}},
      {tr("double-click a panel title"), {tr("maximise or restore the panel")}},
      {tr("hold Shift while dropping"), {tr("open as out of distribution")}}};
  std::vector<TextRow> of_review;
  if (auto* const page = window.findChild<ReviewPage*>()) {
    const ReviewKeys& keys = page->reviewer().keys();
    for (const ReviewCommand command : ReviewKeys::commands()) {
      if (const QString text = keys.keysText(command); !text.isEmpty()) {
        of_review.push_back({text, {ReviewKeys::nameOf(command)}});
      }
    }
  }
  return headingHtml(tr("Keys")) + tableHtml(rows) + headingHtml(tr("Keys of the page Review")) +
         tableHtml(of_review) + headingHtml(tr("Mouse")) + tableHtml(of_mouse);
}

}  // namespace dubito
