// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/view_menu.h"

#include <QActionGroup>
#include <QApplication>

#include "app/shell/theme_choice.h"
#include "app/words/command_words.h"

namespace dubito {

ViewMenu::ViewMenu(QSettings& settings, const QList<QAction*>& more, QWidget* parent)
    : QMenu(parent) {
  setObjectName(QStringLiteral("viewMenu"));
  setTitle(tr("View"));
  auto* const group = new QActionGroup(this);
  const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::kSystem, tr("System theme")},
                                                     {ThemeChoice::kLight, tr("Light")},
                                                     {ThemeChoice::kDark, tr("Dark")}};
  for (const auto& [choice, text] : choices) {
    QAction* const action = addAction(text);
    action->setObjectName(QStringLiteral("theme-") + themeName(choice));
    action->setCheckable(true);
    setCommandWords(*action, tr("theme colours mode"));
    action->setChecked(savedThemeChoice(settings) == choice);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [&settings, chosen = choice] {
      saveThemeChoice(settings, chosen);
      if (auto* const application = qobject_cast<QApplication*>(QCoreApplication::instance())) {
        applyThemeChoice(*application, chosen);
      }
    });
  }
  below_themes_ = addSeparator();
  addActions(more);
}

void ViewMenu::addSwitch(QAction& action) {
  addSeparator();
  addAction(&action);
}

void ViewMenu::addPanels(QMenu& panels) {
  insertSeparator(below_themes_);
  insertMenu(below_themes_, &panels);
}

}  // namespace dubito
