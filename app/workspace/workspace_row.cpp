// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_row.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <utility>

#include "app/words/plain_keys.h"
#include "widgets/fitting_parts.h"

namespace dubito {
namespace {

constexpr int kIndent = 5 * kGrid;
constexpr int kPad = kGrid;
constexpr int kMenuWidth = 5 * kGrid;
constexpr int kBadge = 3 * kGrid;

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

void WorkspaceRow::addMenuButton() {
  menu_button_ = new QToolButton(this);
  menu_button_->setObjectName(QStringLiteral("rowMenu"));
  menu_button_->setProperty("role", QStringLiteral("place"));
  menu_button_->setText(QStringLiteral("⋮"));
  menu_button_->setToolTip(tr("More actions"));
  menu_button_->setAccessibleName(tr("Actions of %1").arg(text()));
  menu_button_->setFocusPolicy(Qt::NoFocus);  // the menu key opens the same menu
  menu_button_->setCursor(Qt::ArrowCursor);
  connect(menu_button_, &QToolButton::clicked, this,
          [this] { popUpMenu(menu_button_->mapToGlobal(QPoint(0, menu_button_->height()))); });
}

void WorkspaceRow::popUpMenu(const QPoint& global) {
  auto* const menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addActions(actions());
  menu->popup(global);
}

void WorkspaceRow::contextMenuEvent(QContextMenuEvent* event) {
  if (actions().isEmpty()) {
    QAbstractButton::contextMenuEvent(event);
  } else {
    popUpMenu(event->globalPos());
  }
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

void WorkspaceRow::setRelated(bool related) {
  related_ = related;
  update();
}

void WorkspaceRow::setWarnings(const QStringList& warnings) {
  warnings_ = warnings;
  update();
}

QRect WorkspaceRow::badgeRect() const {
  const int height = QFontMetrics(uiFont(TypeSize::kBody)).height();
  return warnings_.isEmpty()
             ? QRect()
             : QRect(rightEdge() - kBadge, kPad + (height - kBadge) / 2, kBadge, kBadge);
}

int WorkspaceRow::rightEdge() const {
  return width() - (menu_button_ == nullptr ? kPad : kMenuWidth + kPad);
}

QRect WorkspaceRow::nameRect() const {
  const int height = QFontMetrics(uiFont(TypeSize::kBody, chosen_)).height();
  QRect line(kIndent, kPad, rightEdge() - kIndent, height);
  if (!warnings_.isEmpty()) {
    line.setRight(badgeRect().left() - kPad);
  }
  return line;
}

void WorkspaceRow::paintBadge(QPainter& painter) const {
  const QRectF badge = badgeRect();
  painter.setPen(Qt::NoPen);
  painter.setBrush(currentTheme().misclassified);
  painter.drawEllipse(badge);
  painter.setPen(currentTheme().panel);
  painter.setFont(uiFont(TypeSize::kSmall, true));
  painter.drawText(badge, Qt::AlignCenter, QStringLiteral("!"));
}

bool WorkspaceRow::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* const help = static_cast<QHelpEvent*>(event);
    if (badgeRect().contains(help->pos())) {
      QToolTip::showText(help->globalPos(), warnings_.join(QLatin1Char('\n')), this);
      return true;
    }
  }
  return QAbstractButton::event(event);
}

void WorkspaceRow::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && badgeRect().contains(event->pos())) {
    // Show it at once: a click should not wait for the tooltip delay.
    QToolTip::showText(event->globalPosition().toPoint(), warnings_.join(QLatin1Char('\n')), this);
    Q_EMIT badgeClicked();
    return;
  }
  QAbstractButton::mousePressEvent(event);
}

void WorkspaceRow::mouseDoubleClickEvent(QMouseEvent* event) {
  if (renamable_ && event->button() == Qt::LeftButton) {
    beginRename();
  } else {
    QAbstractButton::mouseDoubleClickEvent(event);
  }
}

void WorkspaceRow::beginRename() {
  if (name_edit_ != nullptr) {
    return;
  }
  name_edit_ = new QLineEdit(text(), this);
  name_edit_->setObjectName(QStringLiteral("nameEdit"));
  name_edit_->setAccessibleName(tr("Name"));
  name_edit_->setPlaceholderText(tr("generated name"));
  name_edit_->setGeometry(kIndent - kPad, 0, width() - kIndent, kPad + nameRect().height() + kPad);
  name_edit_->installEventFilter(this);
  name_edit_->selectAll();
  name_edit_->show();
  name_edit_->setFocus();
  connect(name_edit_, &QLineEdit::editingFinished, this, [this] { endRename(true); });
}

void WorkspaceRow::endRename(bool take) {
  QLineEdit* const edit = std::exchange(name_edit_, nullptr);
  if (edit == nullptr) {
    return;
  }
  const QString name = edit->text().trimmed();
  edit->hide();
  edit->deleteLater();
  setFocus();
  if (take && name != text()) {
    Q_EMIT renamed(name);
  }
  Q_EMIT renameEnded();
}

bool WorkspaceRow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == name_edit_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    endRename(false);
    return true;
  }
  return QAbstractButton::eventFilter(watched, event);
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
  if (related_) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(QRectF(0.5, kPad, 3, height() - 2.0 * kPad), 1.5, 1.5);
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
  if (!warnings_.isEmpty()) {
    paintBadge(painter);
  }
  QRect line = nameRect();
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
    painter.setPen(theme.muted);
    const QRect below(kIndent, kPad + name_height, width() - kIndent - kPad,
                      painter.fontMetrics().height());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                     fittingParts(detail_, painter.fontMetrics(), below.width()));
  }
}

void WorkspaceRow::keyPressEvent(QKeyEvent* event) {
  if (triggerByPlainKey(*this, *event)) {
    return;
  }
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    event->ignore();  // left to the window, which steps through the images
  } else {
    QAbstractButton::keyPressEvent(event);
  }
}

}  // namespace dubito
