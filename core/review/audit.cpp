// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/audit.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/base/splitmix64.h"
#include "core/decisions/clopper_pearson.h"
#include "core/labels/label_records.h"

namespace dubito {
namespace {

/// In the order of the enums.
constexpr std::array<std::string_view, 4> kOutcomeKeys{"open", "right", "wrong", "unclear"};
constexpr std::array<std::string_view, 3> kVerdictKeys{"open", "kept", "broken"};

/// The newest label of a model for each item; undone ones do not count.
std::unordered_map<std::int64_t, const RecordedDecision*> newestOfModel(
    std::span<const RecordedDecision> journal) {
  std::unordered_map<std::int64_t, const RecordedDecision*> newest;
  for (const RecordedDecision& recorded : journal) {
    if (!recorded.undone && recorded.decision.origin == LabelOrigin::kModel) {
      newest[recorded.decision.item] = &recorded;
    }
  }
  std::erase_if(newest, [](const auto& entry) { return !entry.second->decision.class_id; });
  return newest;
}

AuditOutcome outcomeOf(const PresentLabel& label, std::int64_t class_of_model) {
  if (label.origin != LabelOrigin::kPerson || !settles(label.action)) {
    return AuditOutcome::kOpen;
  }
  if (label.action == LabelAction::kAmbiguous) {
    return AuditOutcome::kUnclear;
  }
  return label.class_id == class_of_model ? AuditOutcome::kRight : AuditOutcome::kWrong;
}

/// Position of an item in the random order; ties, which are practically impossible, by item.
std::pair<std::uint64_t, std::int64_t> placeInSample(std::uint64_t key, std::int64_t item) {
  return {splitmix64(key ^ splitmix64(static_cast<std::uint64_t>(item))), item};
}

/// Confidence of each end of the interval.
double oneSided(const AuditOptions& options) {
  return (1.0 + options.confidence) / 2.0;
}

double lowerPrecision(std::int64_t wrong, std::int64_t judged, const AuditOptions& options) {
  return 1.0 - clopperPearsonUpper(wrong, judged, oneSided(options));
}

void countOutcomes(const AuditOptions& options, Audit& audit) {
  for (const AuditedItem& audited : audit.sample) {
    switch (audited.outcome) {
      case AuditOutcome::kOpen:
        ++audit.open;
        break;
      case AuditOutcome::kRight:
        ++audit.right;
        break;
      case AuditOutcome::kWrong:
        ++audit.wrong;
        break;
      case AuditOutcome::kUnclear:
        ++audit.unclear;
        break;
    }
  }
  const std::int64_t judged = audit.right + audit.wrong;
  if (judged == 0) {
    return;
  }
  audit.precision = static_cast<double>(audit.right) / static_cast<double>(judged);
  audit.interval = {lowerPrecision(audit.wrong, judged, options),
                    clopperPearsonUpper(audit.right, judged, oneSided(options))};
  if (audit.interval.low >= options.target) {
    audit.verdict = GuaranteeVerdict::kKept;
  } else if (audit.interval.high < options.target) {
    audit.verdict = GuaranteeVerdict::kBroken;
  }
}

}  // namespace

std::vector<Field> AuditOptions::fields() {
  return {
      {{.name = "sample",
        .label = "Sample",
        .help = "number of labels of the model that persons check",
        .min = 1.0,
        .max = 1e9},
       &sample},
      {{.name = "target",
        .label = "Target",
        .help = "guaranteed share of right labels",
        .min = 0.0,
        .max = 1.0},
       &target},
      {{.name = "confidence",
        .label = "Confidence",
        .help = "confidence of the interval of the precision",
        .min = 0.5,
        .max = 1.0 - 1e-9},
       &confidence},
  };
}

Status AuditOptions::check() const {
  AuditOptions copy = *this;
  return checkFields(copy.fields());
}

std::string_view keyOf(AuditOutcome outcome) {
  return kOutcomeKeys.at(static_cast<std::size_t>(outcome));
}

std::string_view keyOf(GuaranteeVerdict verdict) {
  return kVerdictKeys.at(static_cast<std::size_t>(verdict));
}

Expected<Audit> auditLabels(std::span<const RecordedDecision> journal,
                            std::span<const PresentLabel> labels,
                            std::span<const LabelClass> classes, const AuditOptions& options,
                            std::uint64_t seed) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const auto of_model = newestOfModel(journal);
  Audit audit;
  for (const PresentLabel& label : labels) {
    const auto found = of_model.find(label.item);
    if (found == of_model.end() || label.sequence < found->second->sequence) {
      continue;
    }
    const std::int64_t class_id = mergedClass(classes, *found->second->decision.class_id);
    audit.sample.push_back({label.item, class_id, outcomeOf(label, class_id)});
  }
  audit.labelled = static_cast<std::int64_t>(audit.sample.size());
  const std::uint64_t key = splitmix64(seed);
  std::ranges::sort(audit.sample, {},
                    [key](const AuditedItem& audited) { return placeInSample(key, audited.item); });
  if (options.sample < audit.labelled) {
    audit.sample.resize(static_cast<std::size_t>(options.sample));
  }
  countOutcomes(options, audit);
  return audit;
}

Audit reassessed(const Audit& audit, std::span<const PresentLabel> labels,
                 const AuditOptions& options) {
  std::unordered_map<std::int64_t, const PresentLabel*> label_of;
  for (const PresentLabel& label : labels) {
    label_of.emplace(label.item, &label);
  }
  Audit result{.labelled = audit.labelled, .sample = audit.sample};
  for (AuditedItem& audited : result.sample) {
    const auto found = label_of.find(audited.item);
    audited.outcome =
        found == label_of.end() ? AuditOutcome::kOpen : outcomeOf(*found->second, audited.class_id);
  }
  countOutcomes(options, result);
  return result;
}

std::optional<std::int64_t> rightAnswersNeeded(const Audit& audit, const AuditOptions& options) {
  if (audit.verdict == GuaranteeVerdict::kBroken || options.target >= 1.0) {
    return std::nullopt;
  }
  const std::int64_t judged = audit.right + audit.wrong;
  const auto keeps = [&](std::int64_t further) {
    return judged + further > 0 &&
           lowerPrecision(audit.wrong, judged + further, options) >= options.target;
  };
  // The bound grows with every right answer.
  std::int64_t high = 1;
  while (!keeps(high)) {
    high *= 2;
  }
  std::int64_t low = 0;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (keeps(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Expected<Audit> auditLabels(LabelStore& store, const AuditOptions& options, std::uint64_t seed) {
  const auto records = readRecords(store);
  if (!records) {
    return failWith(records);
  }
  return auditLabels(records->journal, records->labels, records->classes, options, seed);
}

}  // namespace dubito
