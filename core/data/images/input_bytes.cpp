// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/input_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/data/images/input_writer.h"

namespace dubito {

tl::unexpected<Error> inputsTooLarge(const Dataset& dataset, std::int64_t count,
                                     std::int64_t item_bytes, const RunContext& context) {
  const std::string needed = bytesText(static_cast<double>(count * item_bytes));
  const std::string allowed = bytesText(static_cast<double>(context.memory_budget_bytes));
  if (count > 1) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: a batch of {} items takes {} as input, more than the {} allowed; "
                            "use a smaller batch or allow more memory",
                            dataset.info().name, count, needed, allowed),
                {setting("batch"), setting("memory")});
  }
  Error error{.code = ErrorCode::kOutOfMemory,
              .message = fmt::format(
                  "{}: one item takes {} as input, more than the {} allowed; state the input size "
                  "in the model's metadata so that items are resized, or allow more memory",
                  dataset.info().name, needed, allowed)};
  error.remedy.settings = {metadataSetting("input_size"), setting("memory")};
  error.remedy.needs_input_size = true;
  return tl::unexpected<Error>(std::move(error));
}

Expected<std::int64_t> firstReadable(const Dataset& dataset, const RunContext& context) {
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (dataset.read(i)) {
      return i;
    }
  }
  return dataset.size();
}

Expected<std::int64_t> inputBytes(const Dataset& dataset, const Preprocessing& preprocessing,
                                  const RunContext& context) {
  const auto first = firstReadable(dataset, context);
  if (!first) {
    return failWith(first);
  }
  if (*first == dataset.size() || !preprocessing.check()) {
    return 0;
  }
  const auto sample = dataset.read(*first);
  const auto shape = sample ? InputWriter(preprocessing).shapeOf(*sample)
                            : Expected<std::vector<std::int64_t>>(failWith(sample));
  if (!shape) {
    return 0;  // loadBatch reports it with the item's name
  }
  std::int64_t bytes = sizeof(float);
  for (const std::int64_t extent : *shape) {
    bytes *= extent;
  }
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return inputsTooLarge(dataset, 1, bytes, context);
  }
  return bytes;
}

Expected<std::int64_t> itemsPerLoad(const Dataset& dataset, const Preprocessing& preprocessing,
                                    std::int64_t batch, const RunContext& context) {
  if (context.memory_budget_bytes <= 0) {
    return batch;
  }
  const auto bytes = inputBytes(dataset, preprocessing, context);
  if (!bytes) {
    return bytes;
  }
  constexpr std::int64_t kBatchesAtATime = 2;
  const std::int64_t max_items = context.memory_budget_bytes / std::max<std::int64_t>(1, *bytes);
  return std::clamp<std::int64_t>(max_items / kBatchesAtATime, 1, batch);
}

}  // namespace dubito
