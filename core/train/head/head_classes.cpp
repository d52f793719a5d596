// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/head_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/data/items/class_mapping.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxHeadClasses = 1 << 20;

std::int64_t sizeOfList(const std::vector<std::string>& names) {
  return static_cast<std::int64_t>(names.size());
}

Status checkLabels(const Dataset& dataset) {
  const auto labels = dataset.labels();
  std::set<std::int64_t> present(labels.begin(), labels.end());
  present.erase(-1);
  const std::string& spec = dataset.info().spec;
  if (present.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: no item has a label; training needs labels", spec));
  }
  if (present.size() == 1) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: all items belong to class {}; training needs at least two classes",
                            spec, *present.begin()));
  }
  const std::int64_t named = sizeOfList(dataset.info().class_names);
  const std::int64_t largest = *present.rbegin();
  if (largest >= (named > 0 ? named : kMaxHeadClasses)) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: label {} {}", spec, largest,
                            named > 0 ? fmt::format("has no name among its {} classes; fix the "
                                                    "labels or the names",
                                                    named)
                                      : "is too large; number the classes from 0"));
  }
  return {};
}

/// Names of `count` classes: those given, then numbers.
std::vector<std::string> namesUpTo(std::vector<std::string> names, std::int64_t count) {
  while (sizeOfList(names) < count) {
    names.push_back(std::to_string(names.size()));
  }
  return names;
}

}  // namespace

Expected<HeadClasses> headClasses(const Dataset& dataset,
                                  const std::vector<std::string>& network_names,
                                  std::int64_t network_count, bool of_dataset_only) {
  if (Status usable = checkLabels(dataset); !usable) {
    return failWith(usable);
  }
  const std::vector<std::string>& names = dataset.info().class_names;
  const auto labels = dataset.labels();
  HeadClasses result;
  result.labels.assign(labels.begin(), labels.end());
  const std::int64_t numbered = std::max(sizeOfList(names), *std::ranges::max_element(labels) + 1);
  if (of_dataset_only) {
    result.names = names;
    result.count = numbered;
    return result;
  }
  if (names.empty() || network_names.empty()) {
    result.count = std::max(network_count, numbered);
    if (!names.empty() || !network_names.empty()) {
      result.names = namesUpTo(network_names.empty() ? names : network_names, result.count);
    }
    for (std::int64_t k = network_count; k < result.count; ++k) {
      result.added.push_back(result.names.empty() ? std::to_string(k)
                                                  : result.names[static_cast<std::size_t>(k)]);
    }
    return result;
  }
  result.names = namesUpTo(network_names, network_count);
  std::vector<std::int64_t> number_of;
  for (const std::string& name : names) {
    std::int64_t number = classByName(name, network_names);
    if (number < 0) {
      number = sizeOfList(result.names);
      result.names.push_back(name);
      result.added.push_back(name);
    }
    number_of.push_back(number);
  }
  for (std::int64_t& label : result.labels) {
    label = label < 0 ? label : number_of[static_cast<std::size_t>(label)];
  }
  result.count = sizeOfList(result.names);
  return result;
}

}  // namespace dubito
