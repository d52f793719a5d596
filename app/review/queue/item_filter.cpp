// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/item_filter.h"

#include <algorithm>
#include <set>

#include "core/base/splitmix64.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

bool fits(ItemState state, const PresentLabel* label) {
  // What a model has labelled is still to be decided by a person.
  const bool by_person = label != nullptr && label->origin == LabelOrigin::kPerson;
  switch (state) {
    case ItemState::kUndecided:
      return !by_person || !settles(label->action);
    case ItemState::kDecided:
      return by_person && settles(label->action);
    case ItemState::kSkipped:
      return by_person && label->action == LabelAction::kSkip;
    case ItemState::kAmbiguous:
      return by_person && label->action == LabelAction::kAmbiguous;
    case ItemState::kNotInClasses:
      return by_person && label->action == LabelAction::kNotInClasses;
    case ItemState::kFlagged:
      return by_person && label->action == LabelAction::kFlag;
    case ItemState::kAny:
      break;
  }
  return true;
}

/// Whether an image is in the random part that everybody sees.
bool isInPart(std::int64_t item, int percent) {
  // Another stream than that of the random order, so that the part is a sample of it.
  constexpr std::uint64_t kStream = 0x73656C65637465ULL;
  const double uniform =
      static_cast<double>(splitmix64(static_cast<std::uint64_t>(item) ^ kStream) >> 11) * 0x1p-53;
  return percent >= 100 || uniform < percent / 100.0;
}

QString stateText(ItemState state) {
  switch (state) {
    case ItemState::kUndecided:
      return tr("undecided");
    case ItemState::kDecided:
      return tr("decided");
    case ItemState::kSkipped:
      return tr("skipped");
    case ItemState::kAmbiguous:
      return tr("can't tell");
    case ItemState::kNotInClasses:
      return tr("none of these");
    case ItemState::kFlagged:
      return tr("for somebody else");
    case ItemState::kAny:
      break;
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> filteredRows(const AnalysisPart& part, const LabelsByItem& labels,
                                       const std::vector<LabelClass>& classes,
                                       const CommentsByItem& comments, const ItemFilter& filter) {
  std::vector<std::int64_t> rows;
  const Run& run = *part.run;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const auto found = labels.find(run.ids.data()[row]);
    const PresentLabel* const label = found == labels.end() ? nullptr : &found->second;
    if (!fits(filter.state, label) || !isInPart(run.ids.data()[row], filter.percent) ||
        (filter.commented && !comments.contains(run.ids.data()[row])) ||
        (!filter.person.isEmpty() &&
         (label == nullptr || QString::fromStdString(label->annotator) != filter.person))) {
      continue;
    }
    if (filter.given_class) {
      const std::int64_t given = run.labels.data()[row];
      if (given < 0 || mergedClass(classes, given) != *filter.given_class) {
        continue;
      }
    }
    if (filter.decided_class && (label == nullptr || label->class_id != filter.decided_class)) {
      continue;
    }
    const std::int64_t index = part.dataset_index[static_cast<std::size_t>(row)];
    const bool named = filter.name.isEmpty() ||
                       (index >= 0 && QString::fromStdString(part.dataset->itemName(index))
                                          .contains(filter.name, Qt::CaseInsensitive));
    if (named) {
      rows.push_back(row);
    }
  }
  return rows;
}

QString filterText(const ItemFilter& filter, const std::vector<LabelClass>& classes) {
  QStringList parts;
  if (!filter.name.isEmpty()) {
    parts << filter.name;
  }
  const auto addClass = [&](const std::optional<std::int64_t>& id, const QString& text) {
    if (id) {
      const LabelClass* const known = findClass(classes, *id);
      parts << text.arg(known == nullptr ? QString() : QString::fromStdString(known->name));
    }
  };
  addClass(filter.given_class, tr("labelled %1"));
  addClass(filter.decided_class, tr("decided as %1"));
  if (const QString state = stateText(filter.state); !state.isEmpty()) {
    parts << state;
  }
  if (!filter.person.isEmpty()) {
    parts << tr("by %1").arg(filter.person);
  }
  if (filter.commented) {
    parts << tr("with a comment");
  }
  if (filter.percent < 100) {
    parts << tr("%1 % at random").arg(filter.percent);
  }
  return parts.join(QStringLiteral(" · "));
}

QStringList personsOf(const LabelsByItem& labels) {
  std::set<QString> persons;
  for (const auto& [item, label] : labels) {
    if (label.origin == LabelOrigin::kPerson) {
      persons.insert(QString::fromStdString(label.annotator));
    }
  }
  return {persons.begin(), persons.end()};
}

}  // namespace dubito
