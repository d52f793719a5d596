// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help_menu.h"

#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QFile>
#include <QMainWindow>
#include <QRegularExpression>
#include <QTextDocument>
#include <utility>

#include "app/shell/about_text.h"
#include "app/shell/glossary_dialog.h"
#include "app/shell/key_list.h"
#include "app/shell/text_window.h"
#include "app/shell/tour.h"
#include "app/words/command_words.h"
#include "widgets/help_topic.h"

// Q_INIT_RESOURCE must be called outside any namespace. Without it the linker drops the pages.
static void registerHelpPages() {
  Q_INIT_RESOURCE(help_pages);
}

namespace dubito {

namespace {

/// A page of the user guide, without its pictures and links, which the window cannot show.
QString pageHtml(const QString& resource) {
  registerHelpPages();
  QFile file(resource);
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) {
    return {};
  }
  QString text = QString::fromUtf8(file.readAll());
  static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)\n*"));
  static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
  text.remove(picture);
  text.replace(link, QStringLiteral("\\1"));
  QTextDocument document;
  document.setMarkdown(text);
  return document.toHtml();
}

}  // namespace

HelpMenu::HelpMenu(QMainWindow& window, Tour& tour, std::function<QWidget*()> page)
    : QMenu(&window), window_(window), page_(std::move(page)) {
  setObjectName(QStringLiteral("helpMenu"));
  setTitle(tr("Help"));
  add("commandGlossary", tr("Glossary"), QKeySequence(Qt::Key_F1), [this] { showGlossary(); });
  add("commandKeys", tr("Keyboard shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_F1),
      [this] { showKeys(); });
  add("commandHelpLabels", tr("Review labels from another program"), {}, [this] { showLabels(); });
  add("commandTour", tr("Take the tour"), {}, [&tour] { tour.start(); });
  addSeparator();
  add("commandAbout", tr("About Dubito"), {}, [this] { showAbout(); });
}

void HelpMenu::add(const char* name, const QString& text, const QKeySequence& keys,
                   const std::function<void()>& action) {
  QAction* const command = addAction(text);
  command->setObjectName(QLatin1String(name));
  command->setShortcut(keys);
  // Floating panels respond to the same keys.
  command->setShortcutContext(Qt::ApplicationShortcut);
  setCommandWords(*command, tr("help guide documentation"));
  window_.addAction(command);
  connect(command, &QAction::triggered, this, action);
}

void HelpMenu::showGlossary() {
  if (glossary_ == nullptr) {
    glossary_ = new GlossaryDialog(&window_);
  }
  // Topic of the widget under the mouse, else of the focused widget, else of the page.
  QString topic;
  for (const QWidget* const widget :
       {static_cast<const QWidget*>(QApplication::widgetAt(QCursor::pos())),
        static_cast<const QWidget*>(QApplication::focusWidget()),
        static_cast<const QWidget*>(page_())}) {
    if (topic.isEmpty()) {
      topic = helpTopicOf(widget);
    }
  }
  glossary_->open(topic);
}

void HelpMenu::showKeys() {
  if (keys_ == nullptr) {
    keys_ = new TextWindow("keysWindow", tr("Keyboard shortcuts"), &window_);
  }
  keys_->open(keysAsHtml(window_));
}

void HelpMenu::showLabels() {
  if (labels_ == nullptr) {
    labels_ = new TextWindow("labelsHelp", tr("Review labels from another program"), &window_);
  }
  labels_->open(pageHtml(QStringLiteral(":/help/review-labels.md")));
}

void HelpMenu::showAbout() {
  if (about_ == nullptr) {
    about_ = new TextWindow("aboutWindow", tr("About Dubito"), &window_);
  }
  about_->open(aboutHtml(queryDevices()));
}

}  // namespace dubito
