// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_update.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace dubito {
namespace {

constexpr std::int64_t kNewest = 30;
/// Up to this many items are read one by one after a step; beyond, all labels are read.
constexpr std::size_t kFewItems = 512;

/// Adds what changes with every call.
Expected<LabelUpdate> withNewest(LabelUpdate update, LabelStore& store,
                                 const std::string& annotator) {
  auto newest = store.newest(annotator, kNewest);
  const auto sequence = newest ? store.newestSequence() : failWith(newest);
  if (!sequence) {
    return failWith(sequence);
  }
  update.newest = std::move(*newest);
  update.sequence = *sequence;
  return update;
}

/// Reads all labels into `update`.
Status readLabels(LabelStore& store, LabelUpdate& update) {
  const auto labels = store.labels();
  if (!labels) {
    return failWith(labels);
  }
  update.all = true;
  update.labels.reserve(labels->size());
  for (const PresentLabel& label : *labels) {
    update.labels.emplace(label.item, label);
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> itemsOf(const std::vector<RecordedDecision>& decisions) {
  std::vector<std::int64_t> items;
  items.reserve(decisions.size());
  for (const RecordedDecision& recorded : decisions) {
    items.push_back(recorded.decision.item);
  }
  return items;
}

Expected<LabelUpdate> readItems(LabelStore& store, const std::string& annotator,
                                std::vector<std::int64_t> items) {
  LabelUpdate update;
  update.items = std::move(items);
  if (update.items.size() > kFewItems) {
    if (const Status read = readLabels(store, update); !read) {
      return failWith(read);
    }
    return withNewest(std::move(update), store, annotator);
  }
  for (const std::int64_t item : update.items) {
    const auto label = store.label(item);
    if (!label) {
      return failWith(label);
    }
    if (*label) {
      update.labels.emplace(item, **label);
    }
  }
  return withNewest(std::move(update), store, annotator);
}

Expected<LabelUpdate> readAll(LabelStore& store, const std::string& annotator) {
  auto classes = store.classes();
  LabelUpdate update;
  const Status read = classes ? readLabels(store, update) : failWith(classes);
  if (!read) {
    return failWith(read);
  }
  update.classes = std::move(*classes);
  return withNewest(std::move(update), store, annotator);
}

Expected<LabelUpdate> withOthers(LabelUpdate update, LabelStore& store,
                                 const std::string& annotator, std::int64_t before) {
  if (update.all || update.sequence <= before) {
    return update;
  }
  const auto decisions = store.journal(before);
  if (!decisions) {
    return failWith(decisions);
  }
  const auto known = std::ranges::count_if(*decisions, [&](const RecordedDecision& recorded) {
    return recorded.sequence <= update.sequence;
  });
  std::unordered_set<std::int64_t> items(update.items.begin(), update.items.end());
  for (const RecordedDecision& recorded : *decisions) {
    if (items.insert(recorded.decision.item).second) {
      update.others.push_back(recorded.decision.item);
    }
  }
  // Undone steps and changed classes are entries, too; what the call itself undid is read.
  const bool only_decisions = known + update.own_undos == update.sequence - before;
  auto read =
      only_decisions ? readItems(store, annotator, update.others) : readAll(store, annotator);
  if (!read) {
    return failWith(read);
  }
  if (read->all) {
    update.all = true;
    update.labels = std::move(read->labels);
    update.sequence = read->sequence;
  } else {
    // Those read later may be newer; their entries are read again next time.
    update.labels.merge(read->labels);
  }
  if (read->classes) {
    update.classes = std::move(read->classes);
  }
  update.newest = std::move(read->newest);
  return update;
}

Expected<LabelUpdate> revertStep(LabelStore& store, const std::string& annotator, bool undo) {
  const auto step = undo ? store.undo(annotator) : store.redo(annotator);
  if (!step) {
    return failWith(step);
  }
  RevertedStep reverted{.undone = undo, .found = step->has_value()};
  const bool changes_classes = *step && (*step)->decisions.empty();
  if (*step && !changes_classes) {
    reverted.count = static_cast<std::int64_t>((*step)->decisions.size());
    reverted.first = (*step)->decisions.front().decision;
  }
  auto update = changes_classes
                    ? readAll(store, annotator)
                    : readItems(store, annotator,
                                *step ? itemsOf((*step)->decisions) : std::vector<std::int64_t>());
  if (update) {
    update->own_undos = reverted.found ? 1 : 0;
    update->by_model = reverted.first && reverted.first->origin == LabelOrigin::kModel;
    update->reverted = std::move(reverted);
  }
  return update;
}

}  // namespace dubito
