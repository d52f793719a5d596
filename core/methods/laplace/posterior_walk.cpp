// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "core/methods/laplace/posterior_walk_torch.h"

namespace dubito {

Status forEachPart(
    PosteriorNetwork& network, const at::Tensor& x, std::span<const std::int64_t> indices,
    const Dataset& dataset, RowsThatFit& rows, const RunContext& context,
    const std::function<void(PosteriorNetwork::Items&& part, std::int64_t first)>& take) {
  const auto count = static_cast<std::int64_t>(indices.size());
  if (count == 0) {
    return {};
  }
  if (Status learned = network.measureSizes(x, indices, dataset); !learned) {
    return learned;
  }
  return rows.walk(
      count, [&network] { return network.itemsPerPass(); },
      [&](std::int64_t begin, std::int64_t end) -> Status {
        const auto of_part =
            indices.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        auto items = network.prepare(x.slice(0, begin, end), of_part, dataset);
        if (!items) {
          return failWith(items);
        }
        take(*std::move(items), begin);
        return context.cancelRequested() ? Status(cancelled()) : Status();
      });
}

Status forEachGaussian(const PosteriorNetwork& network, const PosteriorNetwork::Items& items,
                       const RunContext& context, const TakeGaussians& take) {
  const std::int64_t count = items.logits.size(0);
  const std::int64_t rows = network.rowsPerCall();
  for (std::int64_t begin = 0; begin < count; begin += rows) {
    take(network.gaussians(items, begin, std::min(count, begin + rows)), begin);
    if (context.cancelRequested()) {
      return Status(cancelled());
    }
  }
  return {};
}

Status forEachGaussian(PosteriorNetwork& network, const at::Tensor& x,
                       std::span<const std::int64_t> indices, const Dataset& dataset,
                       RowsThatFit& rows, const RunContext& context, const TakeGaussians& take) {
  // The Gaussians of a cancelled part are dropped; forEachPart detects the cancel itself.
  return forEachPart(
      network, x, indices, dataset, rows, context,
      [&](const PosteriorNetwork::Items& part, std::int64_t first) {
        static_cast<void>(forEachGaussian(network, part, context,
                                          [&](const LogitGaussians& gaussians, std::int64_t row) {
                                            take(gaussians, first + row);
                                          }));
      });
}

}  // namespace dubito
