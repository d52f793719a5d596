// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fine_tuning/chosen_items.h"

#include <algorithm>
#include <stdexcept>

namespace dubito {

ChosenItems::ChosenItems(std::vector<LabelledItems> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) {
    throw std::invalid_argument("ChosenItems: there are no parts");
  }
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const LabelledItems& items = parts_[part];
    if (items.positions.size() != items.labels.size()) {
      throw std::invalid_argument("ChosenItems: one label per position is needed");
    }
    for (const std::int64_t position : items.positions) {
      places_.push_back({part, position});
      ids_.push_back(std::ssize(ids_));
    }
    labels_.insert(labels_.end(), items.labels.begin(), items.labels.end());
  }
}

std::string ChosenItems::itemName(std::int64_t index) const {
  const Place& place = places_.at(static_cast<std::size_t>(index));
  return parts_[place.part].dataset->itemName(place.position);
}

Expected<Sample> ChosenItems::read(std::int64_t index) const {
  const Place& place = places_.at(static_cast<std::size_t>(index));
  return parts_[place.part].dataset->read(place.position);
}

std::optional<ValueRange> ChosenItems::storedRange() const {
  std::optional<ValueRange> all;
  for (const LabelledItems& part : parts_) {
    const auto range = dubito::storedRange(*part.dataset);
    if (!range) {
      return std::nullopt;
    }
    all =
        all ? ValueRange{std::min(all->low, range->low), std::max(all->high, range->high)} : *range;
  }
  return all;
}

}  // namespace dubito
