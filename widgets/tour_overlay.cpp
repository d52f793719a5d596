// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tour_overlay.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kBubbleWidth = 90 * kGrid;
constexpr int kNarrowBubbleWidth = 62 * kGrid;  // next to a target that leaves little room
constexpr int kTourGap = 3 * kGrid;

/// A position of `size` inside `area` next to `lit`, not overlapping it if one of its sides has
/// room.
QRect placeNextTo(const QRect& lit, const QSize& size, const QRect& area) {
  const QPoint places[] = {
      {lit.center().x() - size.width() / 2, lit.bottom() + kTourGap},
      {lit.center().x() - size.width() / 2, lit.top() - kTourGap - size.height()},
      {lit.right() + kTourGap, lit.center().y() - size.height() / 2},
      {lit.left() - kTourGap - size.width(), lit.center().y() - size.height() / 2},
  };
  const QRect inside = area.adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
  const auto pushedInside = [&](QPoint corner) {
    corner.setX(std::clamp(corner.x(), inside.left(),
                           std::max(inside.left(), inside.right() - size.width())));
    corner.setY(std::clamp(corner.y(), inside.top(),
                           std::max(inside.top(), inside.bottom() - size.height())));
    return QRect(corner, size);
  };
  for (const QPoint& place : places) {
    const QRect rect = pushedInside(place);
    if (!rect.intersects(lit)) {
      return rect;
    }
  }
  return pushedInside(
      {lit.right() - size.width() - kTourGap, lit.bottom() - size.height() - kTourGap});
}

}  // namespace

TourOverlay::TourOverlay(QWidget* window)
    : QWidget(window),
      window_(*window),
      bubble_(new QWidget(this)),
      title_(new WrappedLabel(bubble_)),
      text_(new WrappedLabel(bubble_)),
      number_(new QLabel(bubble_)),
      back_(new QPushButton(tr("Back"), bubble_)),
      next_(new QPushButton(bubble_)) {
  setObjectName(QStringLiteral("tourOverlay"));
  setFocusPolicy(Qt::StrongFocus);
  bubble_->setObjectName(QStringLiteral("tourBubble"));
  title_->setObjectName(QStringLiteral("tourTitle"));
  title_->setFont(uiFont(TypeSize::kTitle, true));
  title_->setStyleSheet(QStringLiteral("font-size: 12pt; font-weight: bold;"));
  text_->setObjectName(QStringLiteral("tourText"));
  text_->setTextFormat(Qt::RichText);  // coloured dots
  number_->setObjectName(QStringLiteral("tourNumber"));
  number_->setProperty("role", QStringLiteral("muted"));
  auto* const end = new QPushButton(tr("End"), bubble_);
  end->setObjectName(QStringLiteral("tourEnd"));
  end->setToolTip(tr("End the tour (Esc). Restart it with Help, Take the tour"));
  back_->setObjectName(QStringLiteral("tourBack"));
  next_->setObjectName(QStringLiteral("tourNext"));
  next_->setProperty("role", QStringLiteral("primary"));
  // Return, Escape and the arrow keys trigger the buttons.
  for (QPushButton* const button : {end, back_, next_}) {
    button->setFocusPolicy(Qt::NoFocus);
  }
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addWidget(number_);
  buttons->addStretch(1);
  buttons->addWidget(end);
  buttons->addWidget(back_);
  buttons->addWidget(next_);
  auto* const layout = new QVBoxLayout(bubble_);
  layout->setContentsMargins(4 * kGrid, 3 * kGrid, 4 * kGrid, 3 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addLayout(buttons);
  connect(next_, &QPushButton::clicked, this, &TourOverlay::nextRequested);
  connect(back_, &QPushButton::clicked, this, &TourOverlay::backRequested);
  connect(end, &QPushButton::clicked, this, &TourOverlay::endRequested);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
  window_.installEventFilter(this);
  hide();
}

void TourOverlay::showStop(QWidget* target, const QString& title, const QString& text, int number,
                           int count) {
  if (target_) {
    target_->removeEventFilter(this);
  }
  target_ = target;
  if (target_) {
    target_->installEventFilter(this);
  }
  title_->setText(title);
  text_->setText(text);
  number_->setText(tr("%1 of %2").arg(number).arg(count));
  back_->setEnabled(number > 1);
  next_->setText(number < count ? tr("Next") : tr("Done"));
  arrange();
  show();
  raise();
  setFocus();
}

QString TourOverlay::title() const {
  return title_->text();
}
QRect TourOverlay::bubble() const {
  return bubble_->geometry();
}

void TourOverlay::arrange() {
  setGeometry(window_.rect());
  lit_ = target_ && target_->window() == &window_ && target_->isVisibleTo(&window_)
             ? QRect(target_->mapTo(&window_, QPoint(0, 0)), target_->size())
                   .adjusted(-kGrid, -kGrid, kGrid, kGrid)
                   .intersected(rect())
             : QRect();
  for (const int wanted : {kBubbleWidth, kNarrowBubbleWidth}) {
    const int width = std::min(wanted, this->width() - 2 * kTourGap);
    const int height = bubble_->layout()->totalHeightForWidth(width);
    const QSize size(width, std::max(height, bubble_->minimumSizeHint().height()));
    bubble_->setGeometry(lit_.isEmpty()
                             ? QRect(rect().center() - QPoint(width / 2, size.height() / 2), size)
                             : placeNextTo(lit_, size, rect()));
    if (!bubble_->geometry().intersects(lit_)) {
      break;
    }
  }
  // Cut the target out of this widget, so that it stays usable.
  QRegion area(rect());
  area -= QRegion(lit_);
  area += QRegion(bubble_->geometry());
  setMask(area);
  update();
}

void TourOverlay::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), QColor(0, 0, 0, theme.dark ? 150 : 90));
  painter.setPen(QPen(theme.accent, 2.0));
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(QRectF(bubble_->geometry()).adjusted(1, 1, -1, -1), 6.0, 6.0);
}

void TourOverlay::mousePressEvent(QMouseEvent* event) {
  is_pressed_ = !bubble_->geometry().contains(event->position().toPoint());
}

void TourOverlay::mouseReleaseEvent(QMouseEvent* event) {
  if (!std::exchange(is_pressed_, false)) {
    return;
  }
  // Who clicks elsewhere wants what is there, not the tour.
  const QPointF global = event->globalPosition();
  Q_EMIT endRequested();
  QWidget* const below =
      isVisible() ? nullptr : window_.childAt(window_.mapFromGlobal(global.toPoint()));
  if (below == nullptr) {
    return;
  }
  // Whole, because a button whose press went elsewhere gets no release.
  for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    QMouseEvent click(type, below->mapFromGlobal(global), global, event->button(),
                      type == QEvent::MouseButtonPress ? event->button() : Qt::NoButton,
                      event->modifiers());
    QCoreApplication::sendEvent(below, &click);
  }
}

void TourOverlay::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape:
      Q_EMIT endRequested();
      break;
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT nextRequested();
      break;
    case Qt::Key_Left:
      if (back_->isEnabled()) {
        Q_EMIT backRequested();
      }
      break;
    default:
      break;  // the window below must not react during the tour
  }
}

bool TourOverlay::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                     event->type() == QEvent::Show || event->type() == QEvent::Hide;
  if (isVisible() && moved && (watched == &window_ || watched == target_)) {
    // After the resized widget has been laid out.
    QMetaObject::invokeMethod(this, &TourOverlay::arrange, Qt::QueuedConnection);
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace dubito
