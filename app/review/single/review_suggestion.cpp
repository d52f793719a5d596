// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_suggestion.h"

#include "app/review/labels/decision_text.h"
#include "app/review/reviewer.h"
#include "core/decisions/probability_interval.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Of the ends of the interval, in percent.
constexpr int kIntervalDigits = 2;

QString quoted(const QString& name) {
  return name.isEmpty() ? name : QStringLiteral("“%1”").arg(name);
}

}  // namespace

ReviewSuggestion::ReviewSuggestion(Reviewer& reviewer, QWidget* parent)
    : QLabel(parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewSuggestion"));
  setFont(uiFont(TypeSize::kTitle));
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);  // a long text must not move what is next to the image
}

void ReviewSuggestion::showItem() {
  setToolTip({});
  const auto row = reviewer_.row();
  if (!row) {
    clear();
    return;
  }
  const PresentLabel* const label = reviewer_.label();
  const bool by_person = label != nullptr && label->origin != LabelOrigin::kModel;
  if (by_person && settles(label->action)) {
    setText(decidedText(*label));
    return;
  }
  // In quotes, because a class may be called "nothing".
  const QString given = quoted(nameOfClass(reviewer_.givenLabel()));
  QString text;
  if (reviewer_.hidesSuggestion()) {
    text = tr("What is it?");
  } else if (given.isEmpty()) {
    text = tr("The network says %1").arg(suggestedText(*row));
  } else if (reviewer_.suggestsLabels() && reviewer_.givenLabel() == reviewer_.suggestion()) {
    text = tr("Labelled %1").arg(suggestedText(*row));  // a program has only one opinion
  } else if (reviewer_.proposal() != reviewer_.suggestion()) {
    text = (reviewer_.suggestsLabels() ? tr("Labelled %1. The program leans to %2")
                                       : tr("Labelled %1. The network leans to %2"))
               .arg(given, suggestedText(*row));
  } else {
    text = (reviewer_.suggestsLabels() ? tr("Labelled %1. The program says %2")
                                       : tr("Labelled %1. The network says %2"))
               .arg(given, suggestedText(*row));
  }
  // What was put off is still to be decided.
  setText(by_person ? tr("%1. %2").arg(decidedText(*label), text) : text);
}

void ReviewSuggestion::showUnreadable() {
  const ReviewKeys& keys = reviewer_.keys();
  setText(tr("%1, or %2")
              .arg(keys.withKey(tr("Skip it"), ReviewCommand::kSkip),
                   keys.withKey(tr("say that you can't tell"), ReviewCommand::kAmbiguous)));
}

void ReviewSuggestion::showHidden() {
  setText(tr("The suggestion is hidden; press a class key."));
}

QString ReviewSuggestion::decidedName() const {
  const PresentLabel* const label = reviewer_.label();
  return label == nullptr
             ? QString()
             : decisionText(reviewer_.file().classes(), label->action, label->class_id);
}

QString ReviewSuggestion::proposedName() const {
  return nameOfClass(reviewer_.proposal());
}

QString ReviewSuggestion::givenName() const {
  return nameOfClass(reviewer_.givenLabel());
}

QString ReviewSuggestion::suggestedText(std::int64_t row) {
  const Run& run = *reviewer_.analysis()->in().run;
  const std::int64_t suggestion = reviewer_.suggestion();
  const QString name = quoted(nameOfClass(suggestion));
  const auto probs = reviewer_.classProbs();
  const auto prob = probs.find(suggestion);
  if (prob == probs.end()) {
    return name;
  }
  const QString percent = shortText(100.0 * prob->second);
  // The interval is that of one output of the network; merged classes have the sum of several.
  const auto interval = run.probs && !reviewer_.suggestsLabels() &&
                                suggestion == run.predictions.data()[row] &&
                                prob->second == run.prob(row, suggestion)
                            ? probabilityInterval(run, row, suggestion)
                            : std::nullopt;
  if (!interval) {
    return tr("%1, %2 % sure").arg(name, percent);
  }
  const QString low = shortText(100.0 * interval->low, kIntervalDigits);
  const QString high = shortText(100.0 * interval->high, kIntervalDigits);
  setToolTip(tr("How sure the network is varies if it predicts again: of 100 answers, 95 lie "
                "between %1 % and %2 %. The farther these are apart, the less the %3 % means.\n"
                "Measure: central 95 % interval of the probability")
                 .arg(low, high, percent));
  QString range = tr("(%1 to %2 %)").arg(low, high);
  range.replace(u' ', QChar(QChar::Nbsp));  // a lonely "%)" in the next line says nothing
  return tr("%1, %2 % sure %3").arg(name, percent, range);
}

QString ReviewSuggestion::decidedText(const PresentLabel& label) const {
  const QString decision = decisionText(reviewer_.file().classes(), label.action, label.class_id);
  const QString who = QString::fromStdString(label.annotator);
  const bool mine = who == reviewer_.file().annotator();
  switch (label.action) {
    case LabelAction::kSkip:
      return mine ? tr("You have skipped this image") : tr("%1 has skipped this image").arg(who);
    case LabelAction::kFlag:
      return mine ? tr("You have marked this image for somebody else")
                  : tr("%1 has marked this image for somebody else").arg(who);
    default:
      return mine ? tr("Your decision: %1").arg(decision)
                  : tr("Decision of %1: %2").arg(who, decision);
  }
}

QString ReviewSuggestion::nameOfClass(std::int64_t class_id) const {
  const LabelClass* const found = findClass(reviewer_.file().classes(), class_id);
  return found == nullptr ? QString() : QString::fromStdString(found->name);
}

}  // namespace dubito
