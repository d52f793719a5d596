// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/workspace_row.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "widgets/fitting_parts.h"

namespace dubito {
namespace {

constexpr int kIndent = 5 * kGrid;
constexpr int kPad = kGrid;
constexpr int kMenuWidth = 5 * kGrid;

}  // namespace

WorkspaceRow::WorkspaceRow(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
}

void WorkspaceRow::setTexts(const QString& name, const QString& detail, const QString& figure) {
  setText(name);
  detail_ = detail;
  figure_ = figure;
  setAccessibleDescription(detail);
  setToolTip(detail.isEmpty() ? name : name + QLatin1Char('\n') + detail);
  updateGeometry();
  update();
}

void WorkspaceRow::setMark(Mark mark, ColorRole role) {
  mark_ = mark;
  role_ = role;
  update();
}

void WorkspaceRow::setWarning(bool warning) {
  warning_ = warning;
  update();
}

void WorkspaceRow::addMenuButton() {
  menu_button_ = new QToolButton(this);
  menu_button_->setObjectName(QStringLiteral("rowMenu"));
  menu_button_->setProperty("role", QStringLiteral("place"));
  menu_button_->setText(QStringLiteral("⋮"));
  menu_button_->setToolTip(tr("What can be done with it"));
  menu_button_->setAccessibleName(tr("Menu of %1").arg(text()));
  menu_button_->setFocusPolicy(Qt::NoFocus);  // the menu key opens the same
  menu_button_->setCursor(Qt::ArrowCursor);
  connect(menu_button_, &QToolButton::clicked, this, [this] {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->popup(menu_button_->mapToGlobal(QPoint(0, menu_button_->height())));
  });
}

void WorkspaceRow::resizeEvent(QResizeEvent* event) {
  QAbstractButton::resizeEvent(event);
  if (menu_button_ != nullptr) {
    const int height = QFontMetrics(uiFont(TypeSize::kBody)).height();
    menu_button_->setGeometry(width() - kMenuWidth - 1, kPad, kMenuWidth, height);
  }
}

void WorkspaceRow::setChosen(bool chosen) {
  chosen_ = chosen;
  update();
}

QSize WorkspaceRow::sizeHint() const {
  const int lines = QFontMetrics(uiFont(TypeSize::kBody)).height() +
                    (detail_.isEmpty() ? 0 : QFontMetrics(uiFont(TypeSize::kSmall)).height());
  return {160, lines + 2 * kPad};
}

QSize WorkspaceRow::minimumSizeHint() const {
  return {80, sizeHint().height()};
}

void WorkspaceRow::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (chosen_ || underMouse() || hasFocus()) {
    QColor background = theme.highlight;
    background.setAlphaF(chosen_ ? 1.0F : 0.5F);
    painter.setBrush(background);
    painter.setPen(hasFocus() ? QPen(theme.accent) : QPen(Qt::NoPen));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  }
  const QFont name_font = uiFont(TypeSize::kBody, chosen_);
  const int name_height = QFontMetrics(name_font).height();
  const bool off = isCheckable() && !isChecked();
  if (mark_ != Mark::kNone) {
    const QRectF mark(kPad + 3, kPad + name_height / 2.0 - 5, 10, 10);
    painter.setPen(QPen(theme.color(role_), 1.5));
    painter.setBrush(off ? QBrush(Qt::NoBrush) : QBrush(theme.color(role_)));
    if (mark_ == Mark::kDot) {
      painter.drawEllipse(mark.adjusted(1, 1, -1, -1));
    } else {
      painter.drawRect(mark);
    }
  }
  QRect line(kIndent, kPad, width() - kIndent - (menu_button_ == nullptr ? kPad : kMenuWidth),
             name_height);
  painter.setFont(uiFont(TypeSize::kBody));
  painter.setPen(theme.muted);
  if (!figure_.isEmpty()) {
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure_);
    line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(figure_) - kPad);
  }
  painter.setFont(name_font);
  painter.setPen(off ? theme.muted : theme.text);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text(), Qt::ElideRight, line.width()));
  if (!detail_.isEmpty()) {
    painter.setFont(uiFont(TypeSize::kSmall));
    painter.setPen(warning_ ? theme.misclassified : theme.muted);
    const QRect below(kIndent, kPad + name_height, width() - kIndent - kPad,
                      painter.fontMetrics().height());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                     fittingParts(detail_, painter.fontMetrics(), below.width()));
  }
}

void WorkspaceRow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete) {
    Q_EMIT removeRequested();
  } else {
    QAbstractButton::keyPressEvent(event);
  }
}

}  // namespace dubito
