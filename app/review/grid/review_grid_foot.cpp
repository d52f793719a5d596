// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_grid_foot.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "app/review/labels/class_keys.h"
#include "app/review/reviewer.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Answers about the marked images that are no class.
struct MarkedAnswer {
  ReviewCommand command;
  LabelAction action;
  const char* name;
};
constexpr MarkedAnswer kMarkedAnswers[] = {
    {ReviewCommand::kNone, LabelAction::kNotInClasses,
     QT_TRANSLATE_NOOP("dubito::ReviewGridFoot", "None of these")},
    {ReviewCommand::kAmbiguous, LabelAction::kAmbiguous,
     QT_TRANSLATE_NOOP("dubito::ReviewGridFoot", "Can't tell")}};

}  // namespace

ReviewGridFoot::ReviewGridFoot(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("reviewGridText"));
  text_->setProperty("role", QStringLiteral("muted"));
  // The images must not change their size because the text is longer while they load.
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* const row = new QWidget(this);
  auto* const buttons = new FlowLayout(row, 2 * kGrid);
  const auto make = [&](const char* name, const QString& tip) {
    auto* const button = new QPushButton(row);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    buttons->addWidget(button);
    return button;
  };
  const auto add = [&](const char* name, const QString& tip, auto action) {
    QPushButton* const button = make(name, tip);
    connect(button, &QPushButton::clicked, this, [this, action] {
      action();
      Q_EMIT finished();
    });
    return button;
  };
  accept_ = add("reviewGridAccept", tr("The images without a cross have this class"),
                [this] { Q_EMIT acceptRequested(); });
  accept_->setProperty("role", QStringLiteral("primary"));
  marked_are_ =
      make("reviewGridMarkedAre", tr("Say what the images with a cross are; the keys do the same"));
  marked_are_->setText(tr("Marked are"));
  marked_are_->setMenu(new QMenu(marked_are_));
  connect(marked_are_->menu(), &QMenu::aboutToShow, this, &ReviewGridFoot::fillMenu);
  previous_ = add("reviewGridPrevious", tr("Previous page; decides nothing"),
                  [this] { Q_EMIT turnRequested(-1); });
  next_ =
      add("reviewGridNext", tr("Next page; decides nothing"), [this] { Q_EMIT turnRequested(1); });
  undo_ = add("reviewGridUndo", tr("Take back the last step"), [this] { reviewer_.undo(); });
  redo_ = add("reviewGridRedo", tr("Decide again what was taken back last"),
              [this] { reviewer_.redo(); });
  left_out_ = add("reviewGridLeftOut", tr("Decide the marked images of earlier pages one by one"),
                  [this] { Q_EMIT leftOutRequested(); });
  auto* const lines = new QVBoxLayout(this);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  lines->addWidget(text_);
  lines->addWidget(row);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewGridFoot::showKeys);
  showKeys();
}

void ReviewGridFoot::setState(const State& state) {
  state_ = state;
  text_->setText(state.text);
  text_->setToolTip(state.text);
  accept_->setText(reviewer_.keys().withKey(state.accept, ReviewCommand::kAccept));
  accept_->setEnabled(state.accepts);
  marked_are_->setEnabled(state.marked);
  left_out_->setVisible(state.left_out > 0);
  left_out_->setText(tr("Decide %1 marked one by one").arg(state.left_out));
}

void ReviewGridFoot::showKeys() {
  const ReviewKeys& keys = reviewer_.keys();
  accept_->setText(keys.withKey(state_.accept, ReviewCommand::kAccept));
  previous_->setText(keys.withKey(tr("Previous"), ReviewCommand::kPrevious));
  next_->setText(keys.withKey(tr("Next"), ReviewCommand::kNext));
  undo_->setText(keys.withKey(tr("Undo"), ReviewCommand::kUndo));
  redo_->setText(keys.withKey(tr("Redo"), ReviewCommand::kRedo));
}

void ReviewGridFoot::fillMenu() {
  QMenu& menu = *marked_are_->menu();
  menu.clear();
  const std::vector<LabelClass>& classes = reviewer_.file().classes();
  const auto keys = classKeys(classes, reviewer_.keys());
  for (const LabelClass& entry : classes) {
    if (entry.merged_into || entry.id == state_.shown_class) {
      continue;
    }
    const QString name = QString::fromStdString(entry.name);
    const auto key = keys.find(entry.id);
    menu.addAction(
        key == keys.end() || key->second.isEmpty() ? name : tr("%1 (%2)").arg(name, key->second),
        this, [this, id = entry.id] {
          Q_EMIT classChosen(id);
          Q_EMIT finished();
        });
  }
  menu.addSeparator();
  for (const MarkedAnswer& answer : kMarkedAnswers) {
    menu.addAction(reviewer_.keys().withKey(tr(answer.name), answer.command), this,
                   [this, action = answer.action] {
                     Q_EMIT answerChosen(action);
                     Q_EMIT finished();
                   });
  }
}

std::optional<LabelAction> ReviewGridFoot::answerOf(ReviewCommand command) {
  const auto found = std::ranges::find(kMarkedAnswers, command, &MarkedAnswer::command);
  return found == std::end(kMarkedAnswers) ? std::nullopt : std::optional(found->action);
}

}  // namespace dubito
