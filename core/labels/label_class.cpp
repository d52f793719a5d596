// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_class.h"

#include <algorithm>

namespace dubito {

const LabelClass* findClass(std::span<const LabelClass> classes, std::int64_t id) {
  const auto found = std::ranges::find(classes, id, &LabelClass::id);
  return found == classes.end() ? nullptr : &*found;
}

const LabelClass* findClass(std::span<const LabelClass> classes, std::string_view name) {
  const auto found = std::ranges::find_if(
      classes, [name](const LabelClass& each) { return each.name == name && !each.merged_into; });
  return found == classes.end() ? nullptr : &*found;
}

std::int64_t mergedClass(std::span<const LabelClass> classes, std::int64_t id) {
  // At most one step per class, should the merges ever form a ring.
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const LabelClass* const found = findClass(classes, id);
    if (found == nullptr || !found->merged_into) {
      break;
    }
    id = *found->merged_into;
  }
  return id;
}

}  // namespace dubito
