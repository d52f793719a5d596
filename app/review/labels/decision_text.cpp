// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/decision_text.h"

#include "core/base/grouped_digits.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QString actionText(LabelAction action) {
  switch (action) {
    case LabelAction::kAccept:
    case LabelAction::kCorrect:
      return {};
    case LabelAction::kNotInClasses:
      return tr("none of these");
    case LabelAction::kAmbiguous:
      return tr("can't tell");
    case LabelAction::kSkip:
      return tr("skipped");
    case LabelAction::kFlag:
      return tr("for somebody else");
  }
  return {};
}

}  // namespace

QString decisionText(const std::vector<LabelClass>& classes, LabelAction action,
                     std::optional<std::int64_t> class_id) {
  const LabelClass* const chosen =
      class_id ? findClass(classes, mergedClass(classes, *class_id)) : nullptr;
  return chosen != nullptr ? QString::fromStdString(chosen->name) : actionText(action);
}

DecisionCounts countDecisions(const LabelTable& table) {
  DecisionCounts counts;
  for (const LabelRow& row : table.rows) {
    if (!row.present) {
      continue;
    }
    switch (row.action.value_or(LabelAction::kAccept)) {
      case LabelAction::kAccept:
      case LabelAction::kCorrect:
        ++counts.labelled;
        break;
      case LabelAction::kNotInClasses:
        ++counts.none;
        break;
      case LabelAction::kAmbiguous:
        ++counts.ambiguous;
        break;
      case LabelAction::kSkip:
        ++counts.skipped;
        break;
      case LabelAction::kFlag:
        ++counts.flagged;
        break;
    }
  }
  return counts;
}

QString countsText(const DecisionCounts& counts) {
  const auto digits = [](std::int64_t count) {
    return QString::fromStdString(groupedDigits(count));
  };
  QStringList parts = {tr("%1 labelled").arg(digits(counts.labelled))};
  const auto add = [&](std::int64_t count, LabelAction action) {
    if (count > 0) {
      parts << QStringLiteral("%1 %2").arg(digits(count), actionText(action));
    }
  };
  add(counts.none, LabelAction::kNotInClasses);
  add(counts.ambiguous, LabelAction::kAmbiguous);
  add(counts.skipped, LabelAction::kSkip);
  add(counts.flagged, LabelAction::kFlag);
  return parts.join(QStringLiteral(", "));
}

QString revertedText(const std::vector<LabelClass>& classes, const RevertedStep& step) {
  if (!step.found) {
    return step.undone ? tr("Nothing to undo") : tr("Nothing to redo");
  }
  if (!step.first) {
    return step.undone ? tr("Undone: a change of the classes")
                       : tr("Redone: a change of the classes");
  }
  const QString what = decisionText(classes, step.first->action, step.first->class_id);
  const QString count = QString::fromStdString(groupedDigits(step.count));
  if (step.first->origin == LabelOrigin::kModel) {
    return (step.undone ? tr("Undone: %1 automatic labels") : tr("Redone: %1 automatic labels"))
        .arg(count);
  }
  if (step.count > 1) {
    return (step.undone ? tr("Undone: %1 images were “%2”") : tr("Redone: %1 images are “%2”"))
        .arg(count, what);
  }
  const QString image = step.first->item_name.empty()
                            ? QStringLiteral("#%1").arg(step.first->item)
                            : QString::fromStdString(step.first->item_name);
  return (step.undone ? tr("Undone: %1 was “%2”") : tr("Redone: %1 is “%2”")).arg(image, what);
}

}  // namespace dubito
