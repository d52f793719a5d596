// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/network_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/data/images/input_range.h"
#include "core/data/images/network_image.h"

namespace dubito {

Expected<NetworkView> networkView(const Dataset& dataset, std::int64_t index,
                                  const Preprocessing& stated) {
  const Preprocessing preprocessing = preprocessingFor(dataset, stated);
  const Expected<Sample> sample = dataset.read(index);
  if (!sample) {
    return failWith(sample);
  }
  const Expected<Array<float>> input = preprocess(*sample, preprocessing);
  if (!input) {
    return failWith(input);
  }
  NetworkView view;
  if (auto image = toDisplayImage(*sample)) {
    view.stored = *std::move(image);
  }
  if (auto image = toNetworkImage(*sample, preprocessing)) {
    view.input = *std::move(image);
  }
  view.shape = fmt::format("{}", fmt::join(input->shape(), " x "));
  const auto values = input->values();
  if (!values.empty()) {
    const auto [low, high] = std::ranges::minmax(values);
    view.low = double{low};
    view.high = double{high};
    for (const float value : values) {
      view.mean += double{value};
    }
    view.mean /= static_cast<double>(values.size());
  }
  return view;
}

}  // namespace dubito
