// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/error_banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/session/window_words.h"
#include "widgets/theme.h"

namespace dubito {

ErrorBanner::ErrorBanner(QWidget* parent) : QFrame(parent), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("errorBanner"));
  text_->setObjectName(QStringLiteral("errorText"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const close = new QToolButton(this);
  close->setObjectName(QStringLiteral("dismissError"));
  close->setProperty("role", QStringLiteral("quiet"));
  close->setText(tr("Dismiss"));
  connect(close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  const auto restyle = [this] {
    const Theme& theme = currentTheme();
    setStyleSheet(QStringLiteral("#errorBanner { background: %1; border: none; border-left: 4px "
                                 "solid %2; }")
                      .arg(theme.panel.name(), theme.misclassified.name()));
  };
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, restyle);
  restyle();
  hide();
}

void ErrorBanner::show(const QString& text, bool error) {
  const QString message = windowText(text.toStdString());
  messages_.removeAll(message);
  messages_.prepend(message);
  showTexts();
  setAccessibleName(error ? tr("Error") : tr("Note"));
  setAccessibleDescription(message);
  setVisible(true);
}

void ErrorBanner::showTexts() {
  QStringList shown = messages_.mid(0, kShown);
  if (messages_.size() > kShown) {
    shown << tr("and %1 more").arg(messages_.size() - kShown);
  }
  text_->setText(shown.join(QLatin1Char('\n')));
}

void ErrorBanner::withdraw(const QString& text) {
  const QString message = windowText(text.toStdString());
  if (messages_.removeAll(message) == 0) {
    return;
  }
  if (messages_.isEmpty()) {
    dismiss();
  } else {
    showTexts();
  }
}

void ErrorBanner::dismiss() {
  messages_.clear();
  text_->clear();
  hide();
}

}  // namespace dubito
