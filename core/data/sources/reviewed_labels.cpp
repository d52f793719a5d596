// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/reviewed_labels.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/data/items/class_mapping.h"

namespace dubito {
namespace {

/// Names of the dataset's classes; of numbered ones those of the network, else their numbers.
std::vector<std::string> ownClasses(const Dataset& dataset, const StoreClasses& store) {
  if (!dataset.info().class_names.empty()) {
    return dataset.info().class_names;
  }
  std::vector<std::string> names = store.network;
  const auto labels = dataset.labels();
  const auto largest = std::ranges::max_element(labels);
  for (auto number = static_cast<std::int64_t>(names.size());
       largest != labels.end() && number <= *largest; ++number) {
    names.push_back(std::to_string(number));
  }
  return names;
}

std::size_t positionOfClass(std::span<const LabelClass> classes, std::int64_t id) {
  const auto found = std::ranges::lower_bound(classes, id, {}, &LabelClass::id);
  return static_cast<std::size_t>(found - classes.begin());
}

}  // namespace

ReviewedClasses reviewedClasses(const Dataset& dataset, const StoreClasses& store) {
  ReviewedClasses result;
  const std::vector<std::string> own = ownClasses(dataset, store);
  result.names = own;
  const auto outputs = static_cast<std::int64_t>(store.network.size());
  for (const LabelClass& one : store.classes) {
    const bool is_output = one.id < outputs;
    std::int64_t number = one.id;
    if (!is_output || !dataset.info().class_names.empty()) {
      number = is_output ? classByName(store.network[static_cast<std::size_t>(one.id)], own) : -1;
      number = number < 0 ? classByName(one.name, own) : number;
    }
    if (number >= 0) {
      ++result.shared;
      std::string& name = result.names[static_cast<std::size_t>(number)];
      const bool is_renamed =
          is_output && one.name != store.network[static_cast<std::size_t>(one.id)];
      if (is_renamed && std::ranges::find(result.names, one.name) == result.names.end()) {
        name = one.name;
      }
    } else if (!one.merged_into) {
      number = static_cast<std::int64_t>(result.names.size());
      result.names.push_back(one.name);
    }
    result.of_store.push_back(number);
  }
  result.merged.resize(result.names.size());
  std::iota(result.merged.begin(), result.merged.end(), std::int64_t{0});
  // Backwards, so that of two classes of one name the older decides what given labels become.
  for (std::size_t i = store.classes.size(); i-- > 0;) {
    const std::int64_t root = mergedClass(store.classes, store.classes[i].id);
    const std::int64_t number = result.of_store[positionOfClass(store.classes, root)];
    if (result.of_store[i] >= 0) {
      result.merged[static_cast<std::size_t>(result.of_store[i])] = number;
    }
    result.of_store[i] = number;
  }
  return result;
}

ReviewedItems reviewedItems(const Dataset& dataset, const StoreClasses& store,
                            const ReviewedClasses& classes, std::span<const PresentLabel> labels,
                            const ReviewedOptions& options) {
  std::unordered_map<std::int64_t, const PresentLabel*> label_of;
  label_of.reserve(labels.size());
  for (const PresentLabel& label : labels) {
    label_of.emplace(label.item, &label);
  }
  ReviewedItems result;
  result.elsewhere = static_cast<std::int64_t>(labels.size());
  for (std::int64_t row = 0; row < dataset.size(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    const std::int64_t given = dataset.labels()[at];
    const bool has_name = given >= 0 && given < static_cast<std::int64_t>(classes.merged.size());
    const std::int64_t given_now =
        has_name ? classes.merged[static_cast<std::size_t>(given)] : given;
    const auto found = label_of.find(dataset.ids()[at]);
    const PresentLabel* label = found == label_of.end() ? nullptr : found->second;
    result.elsewhere -= label == nullptr ? 0 : 1;
    if (label != nullptr && (!settles(label->action) ||
                             (options.persons_only && label->origin != LabelOrigin::kPerson))) {
      label = nullptr;
    }
    if (label == nullptr) {
      ++result.undecided;
      if (options.keeps_undecided) {
        result.rows.push_back(row);
        result.labels.push_back(given_now);
      }
      continue;
    }
    if (!label->class_id) {
      ++result.unusable;
      continue;
    }
    const std::int64_t number = classes.of_store[positionOfClass(store.classes, *label->class_id)];
    result.rows.push_back(row);
    result.labels.push_back(number);
    ++result.decided;
    result.changed += given >= 0 && number != given_now ? 1 : 0;
    result.by_model += label->origin == LabelOrigin::kModel ? 1 : 0;
    result.conflicts += label->conflict ? 1 : 0;
  }
  return result;
}

}  // namespace dubito
