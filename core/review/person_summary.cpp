// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/person_summary.h"

#include <map>
#include <optional>
#include <utility>

namespace dubito {
namespace {

/// A person's last decision about an item.
struct Opinion {
  std::int64_t sequence = 0;
  LabelAction action = LabelAction::kAccept;
  std::optional<std::int64_t> class_id;  ///< after merges

  /// Accepting a class says the same as correcting to it.
  [[nodiscard]] bool saysAs(const Opinion& other) const {
    return class_id == other.class_id && (class_id.has_value() || action == other.action);
  }
};

using OpinionsByPerson = std::map<std::string, Opinion>;

/// The newest opinion of somebody else who has settled the item; nullptr if there is none.
const Opinion* newestOfOthers(const OpinionsByPerson& opinions, const std::string& annotator) {
  const Opinion* newest = nullptr;
  for (const auto& [other, opinion] : opinions) {
    if (other != annotator && settles(opinion.action) &&
        (newest == nullptr || opinion.sequence > newest->sequence)) {
      newest = &opinion;
    }
  }
  return newest;
}

void addItem(const OpinionsByPerson& opinions, std::map<std::string, PersonSummary>& persons) {
  for (const auto& [annotator, opinion] : opinions) {
    PersonSummary& person = persons[annotator];
    person.skipped += opinion.action == LabelAction::kSkip ? 1 : 0;
    person.flagged += opinion.action == LabelAction::kFlag ? 1 : 0;
    if (!settles(opinion.action)) {
      continue;
    }
    ++person.settled;
    const Opinion* const other = newestOfOthers(opinions, annotator);
    if (other == nullptr) {
      continue;
    }
    const bool same = opinion.saysAs(*other);
    const bool later = other->sequence > opinion.sequence;
    ++person.shared;
    person.agreeing += same ? 1 : 0;
    person.checked += later ? 1 : 0;
    person.overturned += later && !same ? 1 : 0;
  }
}

}  // namespace

std::vector<PersonSummary> personSummaries(std::span<const RecordedDecision> journal,
                                           std::span<const LabelClass> classes) {
  std::map<std::int64_t, OpinionsByPerson> by_item;
  std::map<std::string, std::vector<RecordedDecision>> by_person;
  for (const RecordedDecision& recorded : journal) {
    const Decision& decision = recorded.decision;
    if (decision.origin != LabelOrigin::kPerson) {
      continue;
    }
    by_person[decision.annotator].push_back(recorded);
    if (!recorded.undone) {
      by_item[decision.item][decision.annotator] = {
          recorded.sequence, decision.action,
          decision.class_id ? std::optional(mergedClass(classes, *decision.class_id))
                            : std::nullopt};
    }
  }
  std::map<std::string, PersonSummary> persons;
  for (const auto& [item, opinions] : by_item) {
    addItem(opinions, persons);
  }
  std::vector<PersonSummary> summaries;
  for (auto& [annotator, person] : persons) {
    person.annotator = annotator;
    person.pace = paceOf(by_person.at(annotator));
    summaries.push_back(std::move(person));
  }
  return summaries;
}

}  // namespace dubito
