// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/card_scroll.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

/// Narrower, the text says too little.
constexpr int kRoomForText = 60 * kGrid;
/// Further lines are scrolled, so that the page below keeps its room.
constexpr int kDetailsLines = 4;

}  // namespace

ReviewNotice::ReviewNotice(const QString& name, QWidget* parent) : QFrame(parent) {
  setObjectName(name);
  const auto label = [&](const char* part) {
    auto* const made = new WrappedLabel(this);
    made->setObjectName(name + QLatin1String(part));
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
  text_->setWordWrap(false);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  details_ = label("DetailsText");
  details_->setProperty("role", QStringLiteral("muted"));
  details_->setAlignment(Qt::AlignTop);
  details_area_ = makeCardScroll(details_, this);
  details_area_->hide();
  more_ = button(tr("Details"), "Details");
  more_->setCheckable(true);
  close_ = button(tr("Close"), "Close");
  line_ = new QHBoxLayout;
  line_->setSpacing(2 * kGrid);
  line_->addWidget(text_, 1);
  line_->addWidget(more_);
  line_->addWidget(close_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->setSpacing(kGrid);
  layout->addLayout(line_);
  layout->addWidget(details_area_);
  setMinimumWidth(kRoomForText);  // many choices must not widen the window
  connect(more_, &QPushButton::toggled, details_area_, &QWidget::setVisible);
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
  full_text_ = text;
  text_->setToolTip(text);
  details_->setText(details);
  const auto lines = std::min(kDetailsLines, static_cast<int>(details.count(u'\n')) + 1);
  details_area_->setFixedHeight((lines + 1) * details_->fontMetrics().lineSpacing());
  details_area_->hide();
  more_->setChecked(false);
  more_->setVisible(!details.isEmpty());
  for (const Button& known : buttons_) {
    line_->removeWidget(known.button);
    known.button->hide();
    known.button->deleteLater();  // one of them may have been clicked
  }
  buttons_.clear();
  for (const Choice& choice : choices) {
    auto* const button = new QPushButton(choice.text, this);
    button->setObjectName(objectName() + u'-' + choice.name);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, choice.action);
    line_->insertWidget(line_->count() - 1, button);  // what closes it comes last
    buttons_.push_back({button, choice.can_give_way});
  }
  show();
  fit();
  setAccessibleName(text);
}

void ReviewNotice::fit() {
  const QMargins margins = layout()->contentsMargins();
  int room = width() - margins.left() - margins.right();
  const auto takeRoom = [&](const QWidget& widget) {
    room -= widget.sizeHint().width() + line_->spacing();
  };
  takeRoom(*close_);
  if (!more_->isHidden()) {
    takeRoom(*more_);
  }
  for (const Button& known : buttons_) {
    if (!known.can_give_way) {
      takeRoom(*known.button);
    }
  }
  const int wanted = std::min(kRoomForText, text_->fontMetrics().horizontalAdvance(full_text_));
  for (const Button& known : buttons_) {
    if (known.can_give_way) {
      const int left = room - known.button->sizeHint().width() - line_->spacing();
      known.button->setVisible(left >= wanted);
      room = left >= wanted ? left : room;
    }
  }
  text_->setText(text_->fontMetrics().elidedText(full_text_, Qt::ElideRight, std::max(room, 0)));
}

void ReviewNotice::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void ReviewNotice::setCloseText(const QString& text) {
  close_->setText(text);
}

QString ReviewNotice::text() const {
  return full_text_;
}

void ReviewNotice::dismiss() {
  hide();
  Q_EMIT dismissed();
}

}  // namespace dubito
