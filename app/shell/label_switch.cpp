// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/label_switch.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/review/labels/label_choice.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QToolButton* makeSwitchButton(const char* name, QWidget* parent) {
  auto* const button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setStyleSheet(QStringLiteral("padding: 0 10px; min-height: 22px;"));
  return button;
}

QString tooltipOf(const ReviewedLabelSource& source) {
  QStringList lines{QString::fromStdString(describe(source))};
  lines << LabelSwitch::tr(
               "%1 of %2 items were decided by a person; the others keep the given "
               "label")
               .arg(countText(source.decided), countText(source.items));
  for (const std::string& note : notesOf(source)) {
    lines << QString::fromStdString(note);
  }
  return lines.join(u'\n');
}

}  // namespace

LabelSwitch::LabelSwitch(LabelChoice& choice, QWidget* parent)
    : QWidget(parent),
      choice_(choice),
      given_(makeSwitchButton("labelsGiven", this)),
      reviewed_(makeSwitchButton("labelsReviewed", this)),
      source_(new QLabel(this)) {
  setObjectName(QStringLiteral("labelSwitch"));
  auto* const title = new QLabel(tr("Labels"), this);
  title->setProperty("role", QStringLiteral("muted"));
  given_->setText(tr("given"));
  given_->setAccessibleName(tr("Results with the given labels"));
  given_->setToolTip(tr("Results with the labels of the dataset"));
  source_->setObjectName(QStringLiteral("labelSource"));
  source_->setProperty("role", QStringLiteral("muted"));
  source_->setTextFormat(Qt::PlainText);
  // A long name is cut off rather than making the window wider.
  source_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* const group = new QButtonGroup(this);
  group->addButton(given_);
  group->addButton(reviewed_);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, 2 * kGrid, 2 * kGrid, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(title);
  layout->addWidget(given_);
  layout->addWidget(reviewed_);
  layout->addWidget(source_, 1);
  connect(reviewed_, &QToolButton::toggled, &choice_, &LabelChoice::setReviewed);
  connect(&choice_, &LabelChoice::changed, this, &LabelSwitch::showChoice);
  showChoice();
}

void LabelSwitch::setApplies(bool applies) {
  applies_ = applies;
  showChoice();
}

void LabelSwitch::showChoice() {
  const auto& source = choice_.source();
  (choice_.reviewed() ? reviewed_ : given_)->setChecked(true);
  // Images that came without labels have nothing that could be changed.
  const bool only_new = source && source->changed == 0 && source->newly_labelled > 0;
  reviewed_->setText(!source ? tr("reviewed (none here)")
                     : only_new
                         ? tr("reviewed (%1 labelled)").arg(countText(source->newly_labelled))
                         : tr("reviewed (%1 changed)").arg(countText(source->changed)));
  reviewed_->setAccessibleName(tr("Results with the reviewed labels"));
  reviewed_->setToolTip(source ? tooltipOf(*source)
                               : tr("No item of the run shown was reviewed: it keeps the given "
                                    "labels"));
  source_->setText(source ? QString::fromStdString(changesOf(*source)) : QString());
  source_->setToolTip(reviewed_->toolTip());
  setVisible(applies_ && (source || choice_.reviewed()));
}

}  // namespace dubito
