// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/plane_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/data/sources/array_dataset.h"

namespace dubito {
namespace {

/// The two numbers of an item; null for anything else.
const Array<float>* asPoint(const Expected<Sample>& sample) {
  const auto* const values = sample ? std::get_if<Array<float>>(&*sample) : nullptr;
  return values != nullptr && values->rank() == 1 && values->size() == 2 ? values : nullptr;
}

}  // namespace

bool isPlanar(const Dataset& dataset) {
  return dataset.size() > 0 && asPoint(dataset.read(0)) != nullptr;
}

Array<double> planePositions(const Dataset& dataset) {
  auto positions = Array<double>::zeros({dataset.size(), 2});
  double* out = positions.mutableData();
  std::fill(out, out + positions.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t i = 0; i < dataset.size(); ++i, out += 2) {
    const Expected<Sample> sample = dataset.read(i);
    if (const Array<float>* const point = asPoint(sample)) {
      out[0] = static_cast<double>(point->data()[0]);
      out[1] = static_cast<double>(point->data()[1]);
    }
  }
  return positions;
}

DatasetPtr makePlaneGrid(Interval x, Interval y, int columns, int rows) {
  if (!(x.high > x.low) || !(y.high > y.low) || columns < 1 || rows < 1) {
    throw std::invalid_argument(fmt::format("makePlaneGrid: {} x {} cells of [{}, {}] x [{}, {}]",
                                            columns, rows, x.low, x.high, y.low, y.high));
  }
  const std::int64_t count = static_cast<std::int64_t>(columns) * rows;
  auto points = Array<float>::zeros({count, 2});
  float* out = points.mutableData();
  const double width = (x.high - x.low) / columns;
  const double height = (y.high - y.low) / rows;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      *out++ = static_cast<float>(x.low + (column + 0.5) * width);
      *out++ = static_cast<float>(y.low + (row + 0.5) * height);
    }
  }
  DatasetInfo info;
  info.name = fmt::format("grid of {} x {}", columns, rows);
  info.role = Role::kUnlabelled;
  return std::make_shared<const ArrayDataset>(
      std::move(info), std::move(points),
      std::vector<std::int64_t>(static_cast<std::size_t>(count), -1));
}

}  // namespace dubito
