// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help_menu.h"

#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QMainWindow>
#include <utility>

#include "app/labs/lab_topic.h"
#include "app/shell/about_text.h"
#include "app/shell/glossary_dialog.h"
#include "app/shell/help_pages.h"
#include "app/shell/key_list.h"
#include "app/shell/text_window.h"
#include "app/shell/tour.h"
#include "app/words/command_words.h"
#include "widgets/help_topic.h"

namespace dubito {

HelpMenu::HelpMenu(QMainWindow& window, Tour& tour, std::function<QWidget*()> page)
    : QMenu(&window), window_(window), page_(std::move(page)) {
  setObjectName(QStringLiteral("helpMenu"));
  setTitle(tr("Help"));
  add("commandHelp", tr("Help on what is shown"), QKeySequence(Qt::Key_F1),
      [this] { showTopic(); });
  add("commandGlossary", tr("Glossary"), {}, [this] {
    const QString chosen = topic();
    showGlossary(laboratoryOfTopic(chosen) != nullptr ? QString() : chosen);
  });
  add("commandHelpLabs", tr("Laboratories"), {},
      [this] { showLaboratories(laboratoryOfTopic(helpTopicOf(page_()))); });
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

QString HelpMenu::topic() const {
  QString topic;
  for (const QWidget* const widget :
       {static_cast<const QWidget*>(QApplication::widgetAt(QCursor::pos())),
        static_cast<const QWidget*>(QApplication::focusWidget()),
        static_cast<const QWidget*>(page_())}) {
    if (topic.isEmpty()) {
      topic = helpTopicOf(widget);
    }
  }
  return topic;
}

void HelpMenu::showTopic() {
  const QString chosen = topic();
  if (const LaboratoryInfo* const laboratory = laboratoryOfTopic(chosen)) {
    showLaboratories(laboratory);
  } else {
    showGlossary(chosen);
  }
}

void HelpMenu::showGlossary(const QString& topic) {
  if (glossary_ == nullptr) {
    glossary_ = new GlossaryDialog(&window_);
  }
  glossary_->open(topic);
}

void HelpMenu::showLaboratories(const LaboratoryInfo* laboratory) {
  if (laboratories_ == nullptr) {
    laboratories_ = new TextWindow("laboratoriesHelp", tr("Laboratories"), &window_);
  }
  laboratories_->open(laboratory != nullptr ? laboratoryHelpHtml(*laboratory)
                                            : helpPageHtml(QStringLiteral("labs.md")));
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
  labels_->open(helpPageHtml(QStringLiteral("review-labels.md")));
}

void HelpMenu::showAbout() {
  if (about_ == nullptr) {
    about_ = new TextWindow("aboutWindow", tr("About Dubito"), &window_);
  }
  about_->open(aboutHtml(queryDevices()));
}

}  // namespace dubito
