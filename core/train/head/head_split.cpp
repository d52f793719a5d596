// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/head_split.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "core/data/items/item_random.h"

namespace dubito {

HeadItems splitItems(const BackboneFeatures& all, const HeadClasses& classes,
                     const Dataset& dataset, double validation_share, std::uint64_t seed) {
  HeadItems parts{.classes = classes.count};
  std::vector<float> train;
  std::vector<float> validation;
  for (std::size_t row = 0; row < all.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(all.items[row]);
    const std::int64_t id = dataset.ids()[item];
    const bool is_held_out =
        validation_share > 0.0 && ItemRandom(seed, id).uniform() < validation_share;
    const auto values = all.features.row(static_cast<std::int64_t>(row));
    std::vector<float>& to = is_held_out ? validation : train;
    to.insert(to.end(), values.begin(), values.end());
    (is_held_out ? parts.validation : parts.train).labels.push_back(classes.labels[item]);
    if (!is_held_out) {
      parts.ids.push_back(id);
    }
  }
  const std::int64_t width = all.features.extent(1);
  parts.train.features = Array<float>::fromVector({parts.train.size(), width}, std::move(train));
  parts.validation.features =
      Array<float>::fromVector({parts.validation.size(), width}, std::move(validation));
  return parts;
}

Status checkSplit(const HeadItems& parts, const Dataset& dataset) {
  const std::set<std::int64_t> classes(parts.train.labels.begin(), parts.train.labels.end());
  if (classes.size() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} items of {} classes are left to train on, at least two classes "
                            "are needed; label more, or hold out fewer (--validation-share)",
                            dataset.info().spec, parts.train.size(), classes.size()));
  }
  return {};
}

}  // namespace dubito
