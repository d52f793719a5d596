// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dubito {
namespace {

/// Number in the model of each class of the dataset, -1 where the model has no such class; empty
/// where numbers are all there is.
std::vector<std::int64_t> translation(const std::vector<std::string>& model_names,
                                      const std::vector<std::string>& dataset_names) {
  std::map<std::string, std::int64_t> number_of;
  for (std::size_t k = 0; k < model_names.size(); ++k) {
    number_of.emplace(model_names[k], static_cast<std::int64_t>(k));
  }
  std::vector<std::int64_t> numbers;
  for (const std::string& name : dataset_names) {
    const auto found = number_of.find(name);
    numbers.push_back(found == number_of.end() ? -1 : found->second);
  }
  const bool any =
      std::any_of(numbers.begin(), numbers.end(), [](std::int64_t number) { return number >= 0; });
  return any ? numbers : std::vector<std::int64_t>();
}

}  // namespace

Expected<ModelLabels> labelsForModel(const Model& model, const Dataset& dataset) {
  ModelLabels result;
  const DatasetInfo& info = dataset.info();
  if (info.role == Role::kOod || info.role == Role::kUnlabelled) {
    result.labels.assign(static_cast<std::size_t>(dataset.size()), -1);
    return result;
  }
  const std::vector<std::int64_t> numbers =
      translation(model.metadata().class_names, info.class_names);
  if (numbers.empty() && !info.class_names.empty() && !model.metadata().class_names.empty()) {
    result.notes.push_back(
        "No class name of the dataset is one of the model's: labels were taken by number");
  }
  const std::int64_t classes = model.audit().classes;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const std::int64_t label = dataset.labels()[static_cast<std::size_t>(i)];
    const bool named = !numbers.empty() && label >= 0;
    if (named && (label >= static_cast<std::int64_t>(numbers.size()) ||
                  numbers[static_cast<std::size_t>(label)] < 0)) {
      const std::string name = label < static_cast<std::int64_t>(info.class_names.size())
                                   ? info.class_names[static_cast<std::size_t>(label)]
                                   : std::to_string(label);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}, item {}: the model has no class '{}'; choose classes with "
                              "?classes=, or say ?role=ood",
                              info.name, dataset.itemName(i), name));
    }
    const std::int64_t mapped = named ? numbers[static_cast<std::size_t>(label)] : label;
    if (mapped >= classes) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}, item {}: its label is {}, but the model has classes 0 to {}; "
                              "choose classes with ?classes=, or say ?role=ood",
                              info.name, dataset.itemName(i), mapped, classes - 1));
    }
    result.labels.push_back(mapped < 0 ? -1 : mapped);
  }
  return result;
}

}  // namespace dubito
