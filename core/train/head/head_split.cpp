// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/head_split.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "core/data/items/item_random.h"

namespace dubito {

Expected<HeadItems> splitItems(const BackboneFeatures& all, const HeadClasses& classes,
                               const Dataset& dataset, double validation_share, std::uint64_t seed,
                               const RowPlace& place) {
  HeadItems parts{.classes = classes.count};
  std::vector<std::uint8_t> is_held_out(all.items.size());
  for (std::size_t row = 0; row < all.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(all.items[row]);
    const std::int64_t id = dataset.ids()[item];
    is_held_out[row] = validation_share > 0.0 && ItemRandom(seed, id).uniform() < validation_share;
    (is_held_out[row] != 0 ? parts.validation : parts.train).labels.push_back(classes.labels[item]);
    if (is_held_out[row] == 0) {
      parts.ids.push_back(id);
    }
  }
  const std::int64_t width = all.features.extent(1);
  if (parts.validation.size() == 0) {
    parts.train.features = all.features;
    parts.validation.features = Array<float>::zeros({0, width});
    return parts;
  }
  auto train = RowBuffer::create(parts.train.size(), width, place);
  auto validation = RowBuffer::create(parts.validation.size(), width, place);
  if (!train || !validation) {
    return train ? failWith(validation) : failWith(train);
  }
  for (std::size_t row = 0; row < is_held_out.size(); ++row) {
    RowBuffer& to = is_held_out[row] != 0 ? *validation : *train;
    if (Status added = to.append(all.features.row(static_cast<std::int64_t>(row))); !added) {
      return failWith(added);
    }
  }
  auto of_train = train->finish();
  auto of_validation = validation->finish();
  if (!of_train || !of_validation) {
    return of_train ? failWith(of_validation) : failWith(of_train);
  }
  parts.train.features = *std::move(of_train);
  parts.validation.features = *std::move(of_validation);
  return parts;
}

Status checkSplit(const HeadItems& parts, const Dataset& dataset) {
  const std::set<std::int64_t> classes(parts.train.labels.begin(), parts.train.labels.end());
  if (classes.size() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} items of {} classes are left to train on, at least two classes "
                            "are needed; label more, or hold out fewer",
                            dataset.info().spec, parts.train.size(), classes.size()),
                {setting("validation_share")});
  }
  return {};
}

}  // namespace dubito
