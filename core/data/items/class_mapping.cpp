// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/class_mapping.h"
#include "core/base/in_quotes.h"
#include "core/base/lower_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace dubito {
namespace {

constexpr std::int64_t kNone = -1;

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
          fmt::format("the dataset's class {} is not one of the model's classes ({}); rename it, "
                      "leave it out, or open the dataset as out-of-distribution",
                      inQuotes(name), inQuotes(model_classes)),
          {datasetSetting("classes"), datasetSetting("role", "ood")});
    }
  }
  return mapped;
}

namespace {

/// The names as numbers; empty unless all are whole numbers.
std::vector<std::int64_t> numbersOfNames(const std::vector<std::string>& names) {
  std::vector<std::int64_t> numbers;
  for (const std::string& name : names) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || number < 0) {
      return {};
    }
    numbers.push_back(number);
  }
  return numbers;
}

/// At most five of them.
std::string listed(const std::vector<std::string>& parts) {
  constexpr std::size_t kNamed = 5;
  return fmt::format("{}{}",
                     fmt::join(std::span(parts).first(std::min(kNamed, parts.size())), ", "),
                     parts.size() > kNamed ? ", ..." : "");
}

/// "0 cat, 1 dog".
std::string assignments(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    parts.push_back(fmt::format("{} {}", i, names[i]));
  }
  return listed(parts);
}

}  // namespace

Expected<UnnamedMatch> matchUnnamed(const std::vector<std::string>& dataset_classes,
                                    std::int64_t model_classes) {
  constexpr const char* kRemedy =
      "name them in a metadata file (MODEL.json or another one), or open the dataset as "
      "out-of-distribution or unlabelled";
  const std::vector<Setting> settings{metadataSetting("classes"), setting("metadata"),
                                      datasetSetting("role", "ood"),
                                      datasetSetting("role", "unlabelled")};
  UnnamedMatch match;
  const bool as_many = std::ssize(dataset_classes) == model_classes;
  for (std::int64_t i = 0; i < std::ssize(dataset_classes); ++i) {
    match.model_class.push_back(i);
  }
  std::vector<std::int64_t> numbers = numbersOfNames(dataset_classes);
  const bool in_range = !numbers.empty() && std::ranges::all_of(numbers, [&](std::int64_t number) {
    return number < model_classes;
  });
  const bool in_order = std::ranges::is_sorted(numbers);
  if (as_many && !in_order) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the dataset's classes are numbers ({}), and the network's outputs have "
                    "no names, so that it is not clear whether they are counted in this "
                    "order or by their numbers; {}",
                    listed(dataset_classes), kRemedy),
        settings);
  }
  if (in_range && numbers != match.model_class) {
    match.model_class = std::move(numbers);
    match.note = fmt::format(
        "The network's outputs have no names; the names of the dataset's classes ({}) were taken "
        "for their numbers",
        listed(dataset_classes));
    return match;
  }
  if (!as_many && !in_range) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the dataset's {} classes ({}) cannot be matched with the network's {} "
                    "outputs, which have no names; {}",
                    dataset_classes.size(), listed(dataset_classes), model_classes, kRemedy),
        settings);
  }
  if (!in_range) {
    match.note = fmt::format(
        "The network's outputs have no names; the dataset's classes in their order were taken for "
        "them: {}",
        assignments(dataset_classes));
  }
  return match;
}

}  // namespace dubito
