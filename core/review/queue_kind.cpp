// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/queue_kind.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "core/base/registry.h"
#include "core/review/built_in_queues.h"
#include "core/review/duplicates.h"
#include "core/review/label_queues.h"
#include "core/review/opinion_queues.h"

namespace dubito {
namespace {

struct GroupName {
  QueueGroup group;
  const char* name;
};
constexpr std::array kGroupNames{
    GroupName{QueueGroup::kRecommended, "Recommended"}, GroupName{QueueGroup::kUnsure, "Unsure"},
    GroupName{QueueGroup::kLabels, "Labels"}, GroupName{QueueGroup::kPeople, "Other people"},
    GroupName{QueueGroup::kAnything, "Anything"}};
constexpr auto kGroups = [] {
  std::array<QueueGroup, kGroupNames.size()> groups{};
  std::ranges::transform(kGroupNames, groups.begin(), &GroupName::group);
  return groups;
}();

std::vector<QueueKind> builtInQueues() {
  std::vector<QueueKind> kinds;
  for (const Measure measure : allMeasures()) {
    if (hasQueue(measure)) {
      kinds.push_back(queueByMeasure(measure));
    }
  }
  std::ranges::move(labelQueues(), std::back_inserter(kinds));
  kinds.push_back(duplicateQueue());
  std::ranges::move(otherQueues(), std::back_inserter(kinds));
  std::ranges::move(opinionQueues(), std::back_inserter(kinds));
  return kinds;
}

/// The registry, and the number of measures that it knows.
struct KnownQueues {
  std::size_t measures = allMeasures().size();
  Registry<QueueId, QueueKind> kinds{builtInQueues()};
};

Registry<QueueId, QueueKind>& queueRegistry() {
  static KnownQueues known;
  // Measures may be added after the first call.
  for (const std::vector<Measure>& measures = allMeasures(); known.measures < measures.size();
       ++known.measures) {
    if (const Measure measure = measures[known.measures]; hasQueue(measure)) {
      known.kinds.add(queueByMeasure(measure));
    }
  }
  return known.kinds;
}

}  // namespace

std::span<const QueueGroup> allQueueGroups() {
  return kGroups;
}

const char* nameOf(QueueGroup group) {
  return std::ranges::find(kGroupNames, group, &GroupName::group)->name;
}

bool isComplete(const QueueKind& kind) {
  return !kind.key.empty() && !kind.name.empty() && !kind.why.empty() && !kind.needs_text.empty() &&
         !kind.left_out.empty() && kind.compute != nullptr;
}

const std::vector<QueueId>& allQueueKinds() {
  return queueRegistry().ids();
}

const QueueKind& describe(QueueId id) {
  return queueRegistry().info(id);
}

std::optional<QueueId> queueOfKey(std::string_view key) {
  return queueRegistry().find(key);
}

std::vector<std::string> queueKeys() {
  std::vector<std::string> keys;
  std::ranges::transform(allQueueKinds(), std::back_inserter(keys),
                         [](QueueId id) { return describe(id).key; });
  return keys;
}

QueueId addQueueKind(const QueueKind& kind) {
  return queueRegistry().add(kind);
}

}  // namespace dubito
