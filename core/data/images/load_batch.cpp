// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "core/data/images/input_bytes.h"
#include "core/data/images/input_range.h"
#include "core/data/images/input_writer.h"
#include "core/data/images/preprocessing.h"

namespace dubito {
namespace {

using Shape = std::vector<std::int64_t>;

/// Results collected from the threads of one loadBatch.
class BatchBuilder {
 public:
  BatchBuilder(const Dataset& dataset, std::span<const std::int64_t> indices,
               const Preprocessing& preprocessing, const RunContext& context, std::stop_token stop)
      : dataset_(dataset),
        indices_(indices),
        writer_(preprocessingFor(dataset, preprocessing)),
        context_(context),
        stop_(std::move(stop)),
        reasons_(indices.size()) {}

  /// Reads items in order until one succeeds; all others must have its shape.
  Status findShape();
  void load();
  Expected<Batch> finish();

 private:
  void loadOne(std::int64_t at);
  void setFailure(Error error);
  [[nodiscard]] bool stopped() const {
    return context_.cancelRequested() || stop_.stop_requested();
  }
  [[nodiscard]] std::string nameOf(std::int64_t at) const {
    return dataset_.itemName(indices_[static_cast<std::size_t>(at)]);
  }
  /// The dataset and the item, for messages.
  [[nodiscard]] std::string placeOf(std::int64_t at) const {
    return fmt::format("{}, {}", dataset_.info().name, nameOf(at));
  }

  const Dataset& dataset_;
  std::span<const std::int64_t> indices_;
  InputWriter writer_;
  const RunContext& context_;
  std::stop_token stop_;
  /// Records why the item at this place could not be read.
  std::vector<std::optional<std::string>> reasons_;
  std::int64_t first_ = 0;
  std::optional<Sample> first_sample_;
  Shape shape_;
  Array<float> inputs_;
  std::mutex failure_mutex_;
  std::optional<Error> failure_;
  std::atomic<bool> failed_{false};
};

Status BatchBuilder::findShape() {
  const auto count = static_cast<std::int64_t>(indices_.size());
  for (; first_ < count; ++first_) {
    if (stopped()) {
      return cancelled();
    }
    const auto at = static_cast<std::size_t>(first_);
    Expected<Sample> sample = dataset_.read(indices_[at]);
    if (!sample) {
      reasons_[at] = sample.error().message;
      continue;
    }
    Expected<Shape> shape = writer_.shapeOf(*sample);
    if (!shape) {
      return failOf(placeOf(first_), shape.error());
    }
    shape_ = std::move(*shape);
    first_sample_ = std::move(*sample);
    Shape batch_shape{count};
    std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(float));
    for (const std::int64_t extent : shape_) {
      batch_shape.push_back(extent);
      bytes *= extent;
    }
    if (context_.memory_budget_bytes > 0 && bytes > context_.memory_budget_bytes) {
      return inputsTooLarge(dataset_, count, bytes / count, context_);
    }
    inputs_ = Array<float>::zeros(std::move(batch_shape));
    return {};
  }
  return {};
}

void BatchBuilder::setFailure(Error error) {
  const std::scoped_lock lock(failure_mutex_);
  if (!failure_) {
    failure_ = std::move(error);
  }
  failed_ = true;
}

void BatchBuilder::loadOne(std::int64_t at) {
  Expected<Sample> sample = at == first_ ? Expected<Sample>(std::move(*first_sample_))
                                         : dataset_.read(indices_[static_cast<std::size_t>(at)]);
  if (!sample) {
    reasons_[static_cast<std::size_t>(at)] = sample.error().message;
    return;
  }
  const Expected<Shape> shape = writer_.shapeOf(*sample);
  if (!shape) {
    setFailure(failOf(placeOf(at), shape.error()).value());
    return;
  }
  if (*shape != shape_) {
    Error error{.code = ErrorCode::kInvalidArgument,
                .message = fmt::format(
                    "{}: {} is {}, but {} is {}; state the input size and the channels in the "
                    "model's metadata so that all items get the same size",
                    dataset_.info().name, nameOf(first_), fmt::join(shape_, " x "), nameOf(at),
                    fmt::join(*shape, " x "))};
    error.remedy.settings = {metadataSetting("input_size"), metadataSetting("channels")};
    error.remedy.needs_input_size = true;
    setFailure(std::move(error));
    return;
  }
  writer_.write(*sample, inputs_.mutableRow(at));
}

void BatchBuilder::load() {
  const auto rest = static_cast<std::int64_t>(indices_.size()) - first_;
  if (rest <= 0) {
    return;
  }
  // Photographs take milliseconds each, digits less than a microsecond: chunks of about 100 000
  // pixels balance the load for both.
  constexpr std::int64_t kValuesOfPart = 100000;
  const std::int64_t grain = std::max<std::int64_t>(1, kValuesOfPart / inputs_.rowSize());
  context_.parallelFor(rest, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && !failed_ && !stopped(); ++i) {
      loadOne(first_ + i);
    }
  });
}

Expected<Batch> BatchBuilder::finish() {
  if (stopped()) {
    return cancelled();
  }
  if (failure_) {
    return tl::unexpected<Error>(*failure_);
  }
  Batch batch;
  std::int64_t rows = 0;
  for (std::size_t at = 0; at < indices_.size(); ++at) {
    if (reasons_[at]) {
      batch.unreadable.push_back(indices_[at]);
      batch.unreadable_reasons.push_back(std::move(*reasons_[at]));
      continue;
    }
    batch.indices.push_back(indices_[at]);
    if (rows != static_cast<std::int64_t>(at)) {
      const std::span<const float> from = inputs_.row(static_cast<std::int64_t>(at));
      std::copy(from.begin(), from.end(), inputs_.mutableRow(rows).begin());
    }
    ++rows;
  }
  if (rows > 0) {
    batch.inputs = inputs_.slice(0, rows);
  }
  return batch;
}

}  // namespace

Expected<Array<float>> preprocess(const Sample& sample, const Preprocessing& preprocessing) {
  if (const Status status = preprocessing.check(); !status) {
    return failWith(status);
  }
  const InputWriter writer(preprocessing);
  const Expected<Shape> shape = writer.shapeOf(sample);
  if (!shape) {
    return failWith(shape);
  }
  auto input = Array<float>::zeros(*shape);
  writer.write(sample, input.mutableValues());
  return input;
}

Expected<Batch> loadBatch(const Dataset& dataset, std::span<const std::int64_t> indices,
                          const Preprocessing& preprocessing, const RunContext& context,
                          const std::stop_token& stop) {
  if (const Status status = preprocessing.check(); !status) {
    return failWith(status);
  }
  BatchBuilder builder(dataset, indices, preprocessing, context, stop);
  if (const Status status = builder.findShape(); !status) {
    return failWith(status);
  }
  builder.load();
  return builder.finish();
}

}  // namespace dubito
