// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/class_progress.h"

#include <map>

namespace dubito {

std::vector<ClassProgress> classProgress(
    const Run& run, const LabelRecords& records,
    const std::unordered_map<std::int64_t, std::int64_t>& row_of) {
  std::map<std::int64_t, ClassProgress> of_class;
  const auto givenOf = [&](std::int64_t row) {
    const std::int64_t given = run.labels.data()[row];
    return given < 0 ? given : mergedClass(records.classes, given);
  };
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    if (const std::int64_t given = givenOf(row); given >= 0) {
      ++of_class[given].items;
    }
  }
  for (const PresentLabel& label : records.labels) {
    const auto row = row_of.find(label.item);
    if (label.origin != LabelOrigin::kPerson || !settles(label.action) || row == row_of.end()) {
      continue;
    }
    const std::int64_t given = givenOf(row->second);
    if (given < 0) {
      continue;
    }
    ++of_class[given].decided;
    of_class[given].changed += label.class_id == given ? 0 : 1;
  }
  std::vector<ClassProgress> progress;
  for (auto& [given, one] : of_class) {
    one.given = given;
    progress.push_back(one);
  }
  return progress;
}

}  // namespace dubito
