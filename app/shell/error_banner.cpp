// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/error_banner.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "widgets/style_sheet.h"
#include "widgets/wrapped_label.h"

namespace dubito {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent), text_(new WrappedLabel(this)), offer_(new QToolButton(this)) {
  setObjectName(QStringLiteral("errorBanner"));
  text_->setObjectName(QStringLiteral("errorText"));
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  offer_->setObjectName(QStringLiteral("errorOffer"));
  offer_->hide();
  connect(offer_, &QToolButton::clicked, this, [this] {
    if (const Offer* const offer = newestOffer()) {
      const auto act = offer->act;  // it may withdraw the message
      act();
    }
  });
  auto* const close = new QToolButton(this);
  close->setObjectName(QStringLiteral("dismissError"));
  close->setProperty("role", QStringLiteral("quiet"));
  close->setText(tr("Dismiss"));
  connect(close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(offer_, 0, Qt::AlignTop);
  layout->addWidget(close, 0, Qt::AlignTop);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ErrorBanner::restyle);
  restyle();
  hide();
}

void ErrorBanner::show(const QString& text, bool error) {
  messages_.removeAll(text);
  messages_.prepend(text);
  if (error) {
    errors_.insert(text);
  } else {
    errors_.remove(text);
  }
  showTexts();
  setAccessibleDescription(text);
  setVisible(true);
}

QColor ErrorBanner::edgeColor() const {
  const Theme& theme = currentTheme();
  return errors_.isEmpty() ? theme.accent : theme.misclassified;
}

void ErrorBanner::restyle() {
  setStyleSheet(bannerSheet(*this, edgeColor()));
}

void ErrorBanner::showTexts() {
  setAccessibleName(errors_.isEmpty() ? tr("Note") : tr("Error"));
  restyle();
  QStringList shown = messages_.mid(0, kShown);
  if (messages_.size() > kShown) {
    shown << tr("and %1 more").arg(messages_.size() - kShown);
  }
  text_->setText(shown.join(QLatin1Char('\n')));
  showOffer();
}

const ErrorBanner::Offer* ErrorBanner::newestOffer() const {
  const auto offered = std::ranges::find_if(
      messages_, [this](const QString& message) { return offers_.contains(message); });
  return offered == messages_.end() ? nullptr : &*offers_.constFind(*offered);
}

void ErrorBanner::showOffer() {
  const Offer* const offer = newestOffer();
  offer_->setVisible(offer != nullptr);
  if (offer != nullptr) {
    offer_->setText(offer->label);
    offer_->setToolTip(offer->tooltip);
  }
}

void ErrorBanner::offer(const QString& text, const Offer& offer) {
  offers_[text] = offer;
  showOffer();
}

void ErrorBanner::offerLines(const QString& text, const QString& lines) {
  offer(text, {.label = tr("Copy the lines that export it"),
               .tooltip = QStringLiteral("<pre>%1</pre>").arg(lines.toHtmlEscaped()),
               .act = [this, lines] {
                 QGuiApplication::clipboard()->setText(lines);
                 offer_->setText(tr("Copied"));
               }});
}

void ErrorBanner::withdraw(const QString& text) {
  if (messages_.removeAll(text) == 0) {
    return;
  }
  offers_.remove(text);
  errors_.remove(text);
  if (messages_.isEmpty()) {
    dismiss();
  } else {
    showTexts();
  }
}

void ErrorBanner::dismiss() {
  messages_.clear();
  offers_.clear();
  errors_.clear();
  text_->clear();
  hide();
}

}  // namespace dubito
