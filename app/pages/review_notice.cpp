// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_notice.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace dubito {

ReviewNotice::ReviewNotice(const QString& name, QWidget* parent) : QFrame(parent) {
  setObjectName(name);
  const auto label = [&](const char* part) {
    auto* const made = new QLabel(this);
    made->setObjectName(name + QLatin1String(part));
    made->setWordWrap(true);
    made->setTextFormat(Qt::PlainText);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
  };
  const auto button = [&](const QString& text, const char* part) {
    auto* const made = new QPushButton(text, this);
    made->setObjectName(name + QLatin1String(part));
    made->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  text_ = label("Text");
  details_ = label("DetailsText");
  details_->setProperty("role", QStringLiteral("muted"));
  more_ = button(tr("Details"), "Details");
  more_->setCheckable(true);
  close_ = button(tr("Close"), "Close");
  auto* const row = new QWidget(this);
  choices_ = new FlowLayout(row, 2 * kGrid);
  choices_->addWidget(more_);
  choices_->addWidget(close_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_);
  layout->addWidget(row);
  layout->addWidget(details_);
  connect(more_, &QPushButton::toggled, details_, &QLabel::setVisible);
  connect(close_, &QPushButton::clicked, this, &ReviewNotice::dismiss);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ReviewNotice::restyle);
  restyle();
  hide();
}

void ReviewNotice::restyle() {
  const Theme& theme = currentTheme();
  setStyleSheet(QStringLiteral("dubito--ReviewNotice { background: %1; border: 1px solid %2; "
                               "border-left: 4px solid %3; border-radius: 4px; }")
                    .arg(theme.panel.name(), theme.border.name(), theme.accent.name()));
}

void ReviewNotice::tell(const QString& text, const std::vector<Choice>& choices,
                        const QString& details) {
  text_->setText(text);
  details_->setText(details);
  details_->hide();
  more_->setChecked(false);
  more_->setVisible(!details.isEmpty());
  for (QPushButton* const button : buttons_) {
    choices_->removeWidget(button);
    button->hide();
    button->deleteLater();  // one of them may have been clicked
  }
  buttons_.clear();
  for (const Choice& choice : choices) {
    auto* const button = new QPushButton(choice.text, this);
    button->setObjectName(objectName() + u'-' + choice.name);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, choice.action);
    choices_->addWidget(button);
    buttons_.push_back(button);
  }
  // What closes it comes last.
  choices_->removeWidget(close_);
  choices_->addWidget(close_);
  show();
  choices_->invalidate();
  setAccessibleName(text);
}

void ReviewNotice::setCloseText(const QString& text) {
  close_->setText(text);
}

QString ReviewNotice::text() const {
  return text_->text();
}

void ReviewNotice::dismiss() {
  hide();
  Q_EMIT dismissed();
}

}  // namespace dubito
