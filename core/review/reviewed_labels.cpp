// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/reviewed_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

/// Number of classes; without probabilities, only the metadata knows it. 0: unknown.
std::int64_t outputsOf(const Run& run) {
  return run.classCount() > 0 ? run.classCount()
                              : static_cast<std::int64_t>(run.meta.class_names.size());
}

/// The place without folders; a server's address unchanged.
std::string shownName(const std::string& place) {
  return place.find("://") == std::string::npos ? std::filesystem::path(place).filename().string()
                                                : place;
}

bool bothKnownAndDiffer(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

/// The label that a decision gives to an item; counts it in `source`.
std::int64_t labelOf(const PresentLabel& label, std::int64_t given, std::int64_t outputs,
                     ReviewedLabelSource& source) {
  if (!settles(label.action)) {
    return given;
  }
  if (label.origin == LabelOrigin::kModel) {
    ++source.by_model;
    return given;
  }
  ++source.decided;
  if (label.class_id.value_or(-1) != given) {
    ++(given < 0 ? source.newly_labelled : source.changed);
  }
  if (!label.class_id) {
    ++source.without_class;
    return -1;
  }
  if (*label.class_id >= outputs) {
    ++source.beyond_classes;
    return -1;
  }
  return *label.class_id;
}

}  // namespace

Status checkLabelsOf(LabelStore& store, const Run& run) {
  const auto recorded = store.dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  const RunMeta& meta = run.meta;
  if (!*recorded) {
    return {};  // nothing to compare with
  }
  const LabelledDataset& dataset = **recorded;
  if (bothKnownAndDiffer(dataset.name, meta.dataset_name) &&
      bothKnownAndDiffer(dataset.spec, meta.dataset_spec)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: belongs to the dataset {}, not to {}; give the label store of "
                            "this dataset",
                            store.place(), inQuotes(dataset.name), inQuotes(meta.dataset_name)));
  }
  if (classes->empty()) {
    return {};
  }
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < outputsOf(run); ++k) {
    names.push_back(run.className(k));
  }
  return store.belongTo({.name = meta.dataset_name, .spec = meta.dataset_spec, .fingerprint = {}},
                        names);
}

Expected<ReviewedLabels> readReviewedLabels(LabelStore& store) {
  // First: a decision that another program adds meanwhile is then read again.
  const auto sequence = store.newestSequence();
  if (!sequence) {
    return failWith(sequence);
  }
  auto labels = store.labels();
  if (!labels) {
    return failWith(labels);
  }
  if (labels->empty()) {
    return fail(ErrorCode::kInvalidArgument,
                store.place() + ": contains no decisions yet; review some items first");
  }
  return ReviewedLabels{shownName(store.place()), *sequence, std::move(*labels)};
}

Expected<Run> relabelled(const Run& run, const ReviewedLabels& reviewed) {
  if (run.meta.reviewed_labels) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the run already has {}; give the run with its given labels",
                            reviewed.file, describe(*run.meta.reviewed_labels)));
  }
  ReviewedLabelSource source{.file = reviewed.file, .sequence = reviewed.sequence};
  source.items = run.itemCount();
  const std::int64_t outputs =
      outputsOf(run) > 0 ? outputsOf(run) : std::numeric_limits<std::int64_t>::max();
  auto labels = Array<std::int64_t>::zeros({run.itemCount()});
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const std::int64_t id = run.ids.data()[row];
    const std::int64_t given = run.labels.data()[row];
    const auto found = std::ranges::lower_bound(reviewed.labels, id, {}, &PresentLabel::item);
    labels.mutableData()[row] = found != reviewed.labels.end() && found->item == id
                                    ? labelOf(*found, given, outputs, source)
                                    : given;
  }
  if (source.decided == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: contains no decision of a person about the items of this run; "
                            "review some of them, or give the label store of its dataset",
                            reviewed.file));
  }
  Run changed = run;
  changed.labels = std::move(labels);
  changed.meta.reviewed_labels = std::move(source);
  return changed;
}

}  // namespace dubito
