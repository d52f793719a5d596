// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attach_images.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

/// Position in the dataset of each row, by id; empty if the dataset lacks one.
std::vector<std::int64_t> positionsById(const Run& run, const Dataset& dataset) {
  std::unordered_map<std::int64_t, std::int64_t> positions;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    positions.emplace(dataset.ids()[static_cast<std::size_t>(i)], i);
  }
  std::vector<std::int64_t> found;
  for (const std::int64_t id : run.ids.values()) {
    const auto position = positions.find(id);
    if (position == positions.end()) {
      return {};
    }
    found.push_back(position->second);
  }
  return found;
}

std::string nameOfClass(const DatasetInfo& info, std::int64_t k) {
  const auto index = static_cast<std::size_t>(k);
  return index < info.class_names.size() ? info.class_names[index] : std::to_string(k);
}

/// Of the first row whose label contradicts that of its image.
Status checkLabels(const Run& run, const std::string& name, const Dataset& dataset,
                   const std::vector<std::int64_t>& positions) {
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const std::int64_t position = positions[static_cast<std::size_t>(row)];
    const std::int64_t label = run.labels.data()[row];
    const std::int64_t other = dataset.labels()[static_cast<std::size_t>(position)];
    if (label < 0 || other < 0) {
      continue;
    }
    const bool named = !run.meta.class_names.empty() && !dataset.info().class_names.empty();
    const bool same =
        named ? run.className(label) == nameOfClass(dataset.info(), other) : label == other;
    if (!same) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: row {} is labelled {}, but its image {} in {} is labelled {}; the "
                      "images are others or in another order: choose their folder, or give the "
                      "predictions ids",
                      name, row + 1, inQuotes(run.className(label)),
                      inQuotes(dataset.itemName(position)), dataset.info().name,
                      inQuotes(nameOfClass(dataset.info(), other))));
    }
  }
  return {};
}

}  // namespace

Expected<AttachedRun> attachImages(const std::shared_ptr<const Run>& run, const std::string& name,
                                   const Dataset& dataset) {
  std::vector<std::int64_t> positions = positionsById(*run, dataset);
  const bool by_id = !positions.empty();
  if (!by_id && dataset.size() != run->itemCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} rows, but {} has {} images and other ids; choose the "
                            "folder with exactly these images",
                            name, run->itemCount(), dataset.info().name, dataset.size()));
  }
  for (std::int64_t i = 0; !by_id && i < run->itemCount(); ++i) {
    positions.push_back(i);
  }
  if (Status labels = checkLabels(*run, name, dataset, positions); !labels) {
    return failWith(labels);
  }
  auto attached = std::make_shared<Run>(*run);
  std::vector<std::int64_t> ids;
  for (const std::int64_t position : positions) {
    ids.push_back(dataset.ids()[static_cast<std::size_t>(position)]);
  }
  attached->ids = Array<std::int64_t>::fromVector(std::move(ids));
  attached->meta.dataset_name = dataset.info().name;
  attached->meta.dataset_spec = dataset.info().spec;
  if (attached->meta.class_names.empty()) {
    attached->meta.class_names = dataset.info().class_names;
  }
  const std::string how = by_id ? "by id" : "in order";
  attached->meta.notes.push_back(
      by_id ? fmt::format("The images are those of {}, found by their ids.", dataset.info().name)
            : fmt::format("The images are those of {} in their order: row 1 is {}.",
                          dataset.info().name, inQuotes(dataset.itemName(0))));
  return AttachedRun{std::move(attached), how};
}

}  // namespace dubito
