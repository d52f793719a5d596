// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/busy_veil.h"
#include "widgets/exporter.h"
#include "widgets/fitting_parts.h"
#include "widgets/plot_base.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kMenuButtonWidth = 6 * kGrid;

template <class Label = QLabel>
QLabel* makeCardLabel(const char* name, const char* role, QWidget* parent) {
  auto* label = new Label(parent);
  label->setObjectName(QLatin1String(name));
  label->setProperty("role", QLatin1String(role));
  label->setTextFormat(Qt::PlainText);
  return label;
}

/// A stacked layout has no geometry to cover, only its widgets have.
void cover(BusyVeil& veil, const QWidget* content) {
  if (content != nullptr) {
    veil.cover(content->geometry());
  }
}

}  // namespace

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent),
      title_(makeCardLabel("cardTitle", "title", this)),
      choices_(new QComboBox(this)),
      subtitle_(makeCardLabel("cardSubtitle", "muted", this)),
      figure_(makeCardLabel("cardFigure", "title", this)),
      menu_button_(new QToolButton(this)),
      empty_(makeCardLabel<WrappedLabel>("cardEmpty", "muted", this)),
      stack_(new QStackedLayout),
      veil_(new BusyVeil(this)) {
  setProperty("role", QStringLiteral("card"));
  // Long lines are elided, so the text does not affect the width of the card.
  subtitle_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  title_->setMinimumWidth(0);
  empty_->setAlignment(Qt::AlignCenter);
  stack_->addWidget(empty_);

  auto* head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(title_, 1);
  head->addWidget(choices_, 1, Qt::AlignLeft);
  head->addWidget(figure_, 0, Qt::AlignRight);
  head->addWidget(menu_button_, 0, Qt::AlignRight);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(subtitle_);
  layout->addSpacing(kGrid);
  layout->addLayout(stack_, 1);

  menu_button_->setObjectName(QStringLiteral("cardPlace"));
  menu_button_->setProperty("role", QStringLiteral("place"));
  menu_button_->setText(QString(3, QChar(0x00B7)));
  menu_button_->setToolTip(
      tr("Panel menu. Double-clicking the title maximises the panel, or restores it"));
  menu_button_->setFocusPolicy(Qt::TabFocus);
  menu_button_->setFixedSize(kMenuButtonWidth, title_->sizeHint().height());
  menu_button_->hide();
  connect(menu_button_, &QToolButton::clicked, this, [this] {
    Q_EMIT placeMenuRequested(menu_button_->mapToGlobal(QPoint(0, menu_button_->height())));
  });
  choices_->setObjectName(QStringLiteral("cardChoices"));
  choices_->setProperty("role", QStringLiteral("title"));
  // Clicking must not move the keyboard focus.
  choices_->setFocusPolicy(Qt::TabFocus);
  choices_->setFixedHeight(title_->sizeHint().height());
  choices_->hide();
  connect(choices_, &QComboBox::activated, this, [this](int index) {
    setTitle(choice_titles_.value(index));
    Q_EMIT choiceMade(index);
  });
  setTitle(title);
  setSubtitle({});
  setFigure({});
}

void Card::setTitle(const QString& title) {
  setAccessibleName(title);
  menu_button_->setAccessibleName(tr("%1 panel menu").arg(title));
  fitHead();
}

void Card::setShortTitle(const QString& title) {
  short_title_ = title;
  fitHead();
}

void Card::setMovable(bool movable) {
  menu_button_->setVisible(movable);
  fitHead();
}

bool Card::addExport(QMenu& menu) const {
  QList<Exporter*> shown;
  if (content_ != nullptr && stack_->currentWidget() == content_) {
    for (Exporter* const exporter : content_->findChildren<Exporter*>()) {
      if (static_cast<QWidget*>(exporter->parent())->isVisibleTo(this)) {
        shown << exporter;
      }
    }
  }
  for (Exporter* const exporter : shown) {
    QMenu* const part =
        shown.size() == 1 ? &menu
                          : menu.addMenu(exporter->title().isEmpty() ? title() : exporter->title());
    if (auto* const plot = qobject_cast<PlotBase*>(exporter->parent())) {
      plot->addViewActions(*part);
      part->addSeparator();
    }
    exporter->addTo(*part);
  }
  return !shown.isEmpty();
}

void Card::setChoices(const QStringList& titles, const QStringList& short_titles) {
  choice_titles_ = titles;
  short_choice_titles_ = short_titles.isEmpty() ? titles : short_titles;
  choices_->clear();
  choices_->addItems(titles);
  choices_->setVisible(!titles.isEmpty());
  choices_->setAccessibleName(tr("View"));
  title_->setVisible(titles.isEmpty());
  if (!titles.isEmpty()) {
    setTitle(titles.first());
  }
}

void Card::setChoice(int index) {
  choices_->setCurrentIndex(index);
  setTitle(choice_titles_.value(index));
}

void Card::setSubtitle(const QString& subtitle) {
  subtitle_text_ = subtitle;
  setAccessibleDescription(subtitle);
  fitHead();
}

void Card::setFigure(const QString& figure, const QString& tooltip) {
  figure_->setText(figure);
  figure_->setToolTip(tooltip);
  fitHead();
}

void Card::setContent(QWidget* content) {
  if (content_ != nullptr && content_ != content) {
    stack_->removeWidget(content_);
    content_->deleteLater();
  }
  content_ = content;
  if (content_ != nullptr) {
    stack_->addWidget(content_);
    if (emptyText().isEmpty()) {
      stack_->setCurrentWidget(content_);
    }
  }
}

void Card::setEmptyText(const QString& text) {
  empty_->setText(text);
  QWidget* shown = empty_;
  if (text.isEmpty() && content_ != nullptr) {
    shown = content_;
  }
  stack_->setCurrentWidget(shown);
  if (shown == empty_) {
    veil_->setBusy(false);
  }
}

void Card::setBusy(bool is_busy) {
  veil_->setBusy(is_busy && stack_->currentWidget() == content_);
  cover(*veil_, content_);
}

QString Card::title() const {
  return accessibleName();
}
QString Card::figure() const {
  return figure_->text();
}
QString Card::emptyText() const {
  return empty_->text();
}

void Card::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fitHead();
  cover(*veil_, content_);
}

void Card::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!menu_button_->isHidden() && event->position().y() < stack_->currentWidget()->y()) {
    event->accept();
    Q_EMIT enlargeRequested();
    return;
  }
  QFrame::mouseDoubleClickEvent(event);
}

int Card::choicesWidth(const QStringList& titles) const {
  // The combo box's own size hint ignores the bold font and arrow of the style sheet.
  const QFontMetrics bold(uiFont(TypeSize::kBody, true));
  int widest = 0;
  for (const QString& choice : titles) {
    widest = std::max(widest, bold.horizontalAdvance(choice));
  }
  return widest + 6 * kGrid;
}

void Card::fitChoices(int room) {
  const bool shortens = choicesWidth(choice_titles_) > room;
  const QStringList& titles = shortens ? short_choice_titles_ : choice_titles_;
  for (int i = 0; i < choices_->count(); ++i) {
    if (choices_->itemText(i) != titles[i]) {
      choices_->setItemText(i, titles[i]);
    }
  }
  choices_->setMinimumWidth(std::min(choicesWidth(titles), std::max(room, 0)));
}

void Card::fitHead() {
  const int room = contentsRect().width() - 6 * kGrid;
  if (!choice_titles_.isEmpty()) {
    fitChoices(room - (menu_button_->isHidden() ? 0 : kMenuButtonWidth + 2 * kGrid));
  }
  title_->setText(title());
  int needed = choices_->isHidden() ? title_->sizeHint().width() : choices_->sizeHint().width();
  for (const QWidget* const part :
       {static_cast<QWidget*>(figure_), static_cast<QWidget*>(menu_button_)}) {
    if (part == figure_ ? !figure_->text().isEmpty() : !menu_button_->isHidden()) {
      needed += 2 * kGrid + (part == menu_button_ ? kMenuButtonWidth : part->sizeHint().width());
    }
  }
  const bool has_room = needed <= room;
  figure_->setVisible(has_room && !figure_->text().isEmpty());
  const int dots = menu_button_->isHidden() ? 0 : kMenuButtonWidth + 2 * kGrid;
  const QFontMetrics bold = title_->fontMetrics();
  const bool shortens = !short_title_.isEmpty() && bold.horizontalAdvance(title()) > room - dots;
  const QString fitted =
      bold.elidedText(shortens ? short_title_ : title(), Qt::ElideRight, std::max(room - dots, 0));
  title_->setToolTip(fitted == title() ? QString() : title());
  title_->setText(fitted);
  QStringList parts;
  for (const QString& part : {has_room ? QString() : figure_->text(), subtitle_text_}) {
    if (!part.isEmpty()) {
      parts << part;
    }
  }
  const QString whole = parts.join(QStringLiteral(" · "));
  const QFontMetrics metrics(uiFont(TypeSize::kSmall));
  const QString shown = fittingParts(whole, metrics, room);
  subtitle_->setText(shown);
  subtitle_->setToolTip(shown == whole ? QString() : whole);
  subtitle_->setVisible(!whole.isEmpty());
}

}  // namespace dubito
