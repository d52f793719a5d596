// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/stories/story_bar.h"

#include <QAction>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

StoryBar::StoryBar(QSettings& settings, QWidget* parent) : QFrame(parent), settings_(settings) {
  setObjectName(QStringLiteral("storyBar"));
  setProperty("role", QStringLiteral("card"));
  addParts();
  const auto addKey = [this](const char* name, const QString& text, Qt::Key key,
                             QPushButton* button) {
    auto* const action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setData(static_cast<int>(key));
    addAction(action);
    connect(action, &QAction::triggered, button, &QPushButton::click);
  };
  addKey("storyNextKey", tr("Next step of the story"), Qt::Key_PageDown, next_);
  addKey("storyBackKey", tr("Previous step of the story"), Qt::Key_PageUp, back_);
  connect(next_, &QPushButton::clicked, this, [this] { go(step_ + 1); });
  connect(back_, &QPushButton::clicked, this, [this] { go(step_ - 1); });
  connect(again_, &QPushButton::clicked, this, [this] { go(step_); });
  connect(end_, &QPushButton::clicked, this, &StoryBar::end);
  hide();
}

void StoryBar::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // Of the window, wherever the focus is, as long as the bar is visible; else they are free for
  // other pages.
  for (QAction* const action : actions()) {
    action->setShortcut(static_cast<Qt::Key>(action->data().toInt()));
  }
}

void StoryBar::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  for (QAction* const action : actions()) {
    action->setShortcut({});
  }
}

void StoryBar::addParts() {
  title_ = new WrappedLabel(this);
  title_->setObjectName(QStringLiteral("storyTitle"));
  title_->setProperty("role", QStringLiteral("title"));
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("storyCount"));
  count_->setProperty("role", QStringLiteral("muted"));
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("storyText"));
  text_->setTextFormat(Qt::PlainText);
  const auto makeButton = [this](const QString& text, const char* name, const QString& tip) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    return button;
  };
  back_ = makeButton(tr("Back"), "storyBack", tr("Previous step (Page Up)"));
  next_ = makeButton(tr("Next"), "storyNext", tr("Next step (Page Down)"));
  next_->setProperty("role", QStringLiteral("primary"));
  again_ = makeButton(tr("Show again"), "storyAgain",
                      tr("Show this step as it was before you changed something"));
  end_ = makeButton(tr("End story"), "storyEnd",
                    tr("Close the story; it continues at this step the next time"));
  auto* const head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(title_, 1);
  head->addWidget(count_);
  for (QPushButton* const button : {back_, next_, again_, end_}) {
    head->addWidget(button);
  }
  auto* const rows = new QVBoxLayout(this);
  rows->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
  rows->setSpacing(kGrid);
  rows->addLayout(head);
  rows->addWidget(text_);
}

QString StoryBar::keyOfFile(const QString& path) {
  const QByteArray place = QFileInfo(path).absoluteFilePath().toUtf8();
  return QStringLiteral("file-") +
         QString::fromLatin1(QCryptographicHash::hash(place, QCryptographicHash::Sha1).toHex());
}

void StoryBar::open(LabStory story, const QString& key) {
  story_ = std::move(story);
  setting_ = QStringLiteral("labs/stories/") + key;
  const std::size_t last = story_->steps.size() - 1;
  // The file may have lost steps.
  go(std::min(static_cast<std::size_t>(settings_.value(setting_, 0).toUInt()), last));
}

void StoryBar::end() {
  if (!story_) {
    return;
  }
  if (step_ + 1 == story_->steps.size()) {
    settings_.remove(setting_);
  }
  story_.reset();
  hide();
  Q_EMIT ended();
}

void StoryBar::go(std::size_t step) {
  show(step);
  settings_.setValue(setting_, static_cast<uint>(step));
  Q_EMIT stepShown();
}

void StoryBar::show(std::size_t step) {
  step_ = step;
  const StoryStep& shown = story_->steps[step];
  const std::size_t count = story_->steps.size();
  title_->setText(QStringLiteral("%1 · %2").arg(QString::fromStdString(story_->title),
                                                QString::fromStdString(shown.title)));
  count_->setText(tr("step %1 of %2").arg(step + 1).arg(count));
  text_->setText(QString::fromStdString(shown.text));
  back_->setEnabled(step > 0);
  next_->setEnabled(step + 1 < count);
  setVisible(true);
}

}  // namespace dubito
