// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/class_mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dubito {
namespace {

constexpr std::int64_t kNone = -1;

std::string lowerCase(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return text;
}

}  // namespace

std::int64_t classByName(const std::string& name, const std::vector<std::string>& names) {
  const auto same = std::find(names.begin(), names.end(), name);
  if (same != names.end()) {
    return same - names.begin();
  }
  const auto alike = [lower = lowerCase(name)](const std::string& other) {
    return lowerCase(other) == lower;
  };
  const auto first = std::find_if(names.begin(), names.end(), alike);
  if (first == names.end() || std::any_of(first + 1, names.end(), alike)) {
    return kNone;
  }
  return first - names.begin();
}

Expected<std::vector<std::int64_t>> mapLabelsByName(std::span<const std::int64_t> labels,
                                                    const std::vector<std::string>& dataset_classes,
                                                    const std::vector<std::string>& model_classes) {
  std::vector<std::int64_t> mapped(labels.begin(), labels.end());
  if (dataset_classes.empty() || model_classes.empty()) {
    return mapped;
  }
  std::vector<std::int64_t> model_class;
  model_class.reserve(dataset_classes.size());
  for (const std::string& name : dataset_classes) {
    model_class.push_back(classByName(name, model_classes));
  }
  for (std::int64_t& label : mapped) {
    if (label == -1) {
      continue;
    }
    if (label < 0 || label >= static_cast<std::int64_t>(dataset_classes.size())) {
      return fail(
          ErrorCode::kMalformed,
          fmt::format(
              "label {} has no name among the dataset's {} classes; fix the labels or the names",
              label, dataset_classes.size()));
    }
    const std::string& name = dataset_classes[static_cast<std::size_t>(label)];
    label = model_class[static_cast<std::size_t>(label)];
    if (label == kNone) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the dataset's class '{}' is not one of the model's classes ({}); rename it, "
                      "leave it out with classes=, or open the dataset with role=ood",
                      name, fmt::join(model_classes, ", ")));
    }
  }
  return mapped;
}

}  // namespace dubito
