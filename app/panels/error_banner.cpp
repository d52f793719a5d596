// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/error_banner.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "app/session/window_words.h"
#include "widgets/theme.h"

namespace dubito {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent), text_(new QLabel(this)), copy_(new QToolButton(this)) {
  setObjectName(QStringLiteral("errorBanner"));
  text_->setObjectName(QStringLiteral("errorText"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  copy_->setObjectName(QStringLiteral("copyLines"));
  copy_->hide();
  connect(copy_, &QToolButton::clicked, this, &ErrorBanner::copyLines);
  auto* const close = new QToolButton(this);
  close->setObjectName(QStringLiteral("dismissError"));
  close->setProperty("role", QStringLiteral("quiet"));
  close->setText(tr("Dismiss"));
  connect(close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(copy_, 0, Qt::AlignTop);
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
  showOffer();
}

QString ErrorBanner::offeredLines() const {
  const auto offered = std::ranges::find_if(
      messages_, [this](const QString& message) { return lines_.contains(message); });
  return offered == messages_.end() ? QString() : lines_[*offered];
}

void ErrorBanner::showOffer() {
  const QString lines = offeredLines();
  copy_->setVisible(!lines.isEmpty());
  copy_->setText(tr("Copy the lines that export it"));
  copy_->setToolTip(QStringLiteral("<pre>%1</pre>").arg(lines.toHtmlEscaped()));
}

void ErrorBanner::copyLines() {
  QGuiApplication::clipboard()->setText(offeredLines());
  copy_->setText(tr("Copied"));
}

void ErrorBanner::offerLines(const QString& text, const QString& lines) {
  lines_[windowText(text.toStdString())] = lines;
  showOffer();
}

void ErrorBanner::withdraw(const QString& text) {
  const QString message = windowText(text.toStdString());
  if (messages_.removeAll(message) == 0) {
    return;
  }
  lines_.remove(message);
  if (messages_.isEmpty()) {
    dismiss();
  } else {
    showTexts();
  }
}

void ErrorBanner::dismiss() {
  messages_.clear();
  lines_.clear();
  text_->clear();
  hide();
}

}  // namespace dubito
