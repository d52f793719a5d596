// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "core/data/images/input_bytes.h"
#include "core/data/images/prefetcher.h"
#include "core/data/items/content_hash.h"
#include "core/data/items/sample_cache.h"
#include "core/train/training_set_torch.h"

namespace dubito {

Status requireReadable(const Batch& batch) {
  return batch.unreadable.empty()
             ? Status()
             : Status(fail(ErrorCode::kMalformed,
                           fmt::format("{}; it could be read when training began: do not change "
                                       "the data during training",
                                       batch.unreadable_reasons.front())));
}

namespace {

constexpr std::int64_t kItemsPerRead = 512;
constexpr std::int64_t kMaxClasses = 1 << 20;
constexpr double kMinDeviation = 1e-6;

// Size, channels and scale of the first item that can be read.
Expected<Preprocessing> preprocessingOf(const Dataset& dataset,
                                        std::span<const std::int64_t> indices) {
  for (const std::int64_t index : indices) {
    const Expected<Sample> sample = dataset.read(index);
    if (!sample) {
      continue;
    }
    Preprocessing preprocessing;
    if (const auto* const image = std::get_if<Image8>(&*sample)) {
      preprocessing.height = image->height();
      preprocessing.width = image->width();
      preprocessing.channels = image->channels();
      return preprocessing;
    }
    preprocessing.scale = 1.0;
    const auto& values = std::get<Array<float>>(*sample);
    if (values.rank() == 3) {
      preprocessing.height = values.extent(0);
      preprocessing.width = values.extent(1);
      preprocessing.channels = values.extent(2);
    }
    return preprocessing;
  }
  return fail(
      ErrorCode::kMalformed,
      fmt::format("{}: no labelled item can be read; give another dataset", dataset.info().spec));
}

/// Makes passes over items of a dataset, in order and a few at a time.
class Reader {
 public:
  Reader(const Dataset& dataset, const Preprocessing& preprocessing, RunContext& context)
      : dataset_(dataset), preprocessing_(preprocessing), context_(context) {}

  using Take = std::function<Status(const Batch& batch)>;
  Status pass(const std::vector<std::int64_t>& items, const std::string& stage, const Take& take);

 private:
  const Dataset& dataset_;
  const Preprocessing& preprocessing_;
  RunContext& context_;
};

Status Reader::pass(const std::vector<std::int64_t>& items, const std::string& stage,
                    const Take& take) {
  const auto together = itemsPerLoad(dataset_, preprocessing_, kItemsPerRead, context_);
  if (!together) {
    return failWith(together);
  }
  const auto total = static_cast<std::int64_t>(items.size());
  const auto plan = BatchPlan::ofItems(items, *together);
  Prefetcher batches(dataset_, plan, preprocessing_, context_);
  while (batches.remaining() > 0) {
    const std::int64_t done = (plan.batchCount() - batches.remaining()) * *together;
    if (context_.step(stage, std::min(done, total), total) != Step::kContinue) {
      return Status(cancelled());
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    if (Status taken = take(*batch); !taken) {
      return taken;
    }
  }
  return {};
}

/// Sums over the values of every channel, item by item, so that the result does not depend on how
/// many are read together.
class ChannelSums {
 public:
  /// Adds of(value, channel) for all values of the batch.
  template <class Of>
  void add(const Batch& batch, const Of& of) {
    if (batch.indices.empty()) {
      return;
    }
    const auto channels =
        static_cast<std::size_t>(batch.inputs.rank() == 4 ? batch.inputs.extent(1) : 1);
    sums_.resize(channels);
    const std::size_t size = static_cast<std::size_t>(batch.inputs.rowSize()) / channels;
    for (std::int64_t row = 0; row < batch.inputs.extent(0); ++row) {
      const float* value = batch.inputs.row(row).data();
      for (std::size_t c = 0; c < channels; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
          sum += of(static_cast<double>(*value++), c);
        }
        sums_[c] += sum;
      }
      values_ += size;
    }
  }
  [[nodiscard]] std::size_t channels() const { return sums_.size(); }
  [[nodiscard]] double mean(std::size_t channel) const {
    return sums_[channel] / static_cast<double>(values_);
  }

 private:
  std::vector<double> sums_;
  std::size_t values_ = 0;  ///< of each channel
};

/// Finds the readable items, then their mean and deviation.
Status findStatistics(Reader& reader, const std::vector<std::int64_t>& labelled, TrainingSet& set) {
  ChannelSums sums;
  const Status read = reader.pass(labelled, "read training set", [&](const Batch& batch) -> Status {
    set.unreadable += static_cast<std::int64_t>(batch.unreadable.size());
    set.items.insert(set.items.end(), batch.indices.begin(), batch.indices.end());
    if (!batch.indices.empty()) {
      set.input_shape.assign(batch.inputs.shape().begin() + 1, batch.inputs.shape().end());
    }
    sums.add(batch, [](double value, std::size_t) { return value; });
    return {};
  });
  if (!read) {
    return read;
  }
  ChannelSums squares;
  const Status squared = reader.pass(set.items, "mean and deviation", [&](const Batch& batch) {
    if (Status same = requireReadable(batch); !same) {
      return same;
    }
    squares.add(batch, [&](double value, std::size_t channel) {
      const double difference = value - sums.mean(channel);
      return difference * difference;
    });
    return Status();
  });
  if (!squared) {
    return squared;
  }
  for (std::size_t c = 0; c < sums.channels(); ++c) {
    // A constant channel stays constant.
    const double deviation = std::sqrt(squares.mean(c));
    set.preprocessing.mean.push_back(sums.mean(c));
    set.preprocessing.std.push_back(deviation > kMinDeviation ? deviation : 1.0);
  }
  return {};
}

Status checkClasses(const Dataset& dataset, const TrainingSet& set) {
  const std::int64_t largest = set.labels.max().item<std::int64_t>();
  if (largest >= kMaxClasses) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: label {} is too large; number the classes from 0",
                            dataset.info().spec, largest));
  }
  if (set.labels.min().item<std::int64_t>() == largest) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: all items belong to class {}; training needs at least two classes",
                            dataset.info().spec, largest));
  }
  return {};
}

}  // namespace

Expected<TrainingSet> readTrainingSet(const Dataset& dataset, RunContext& context) {
  TrainingSet set;
  std::vector<std::int64_t> labelled;
  const std::span<const std::int64_t> labels = dataset.labels();
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (labels[static_cast<std::size_t>(i)] >= 0) {
      labelled.push_back(i);
    }
  }
  set.unlabelled = dataset.size() - static_cast<std::int64_t>(labelled.size());
  if (labelled.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: no item has a label; training needs labels", dataset.info().spec));
  }
  const Expected<Preprocessing> preprocessing = preprocessingOf(dataset, labelled);
  if (!preprocessing) {
    return failWith(preprocessing);
  }
  set.preprocessing = *preprocessing;
  // The other half is for batches and the training itself.
  const std::int64_t kept_bytes = context.memory_budget_bytes > 0
                                      ? context.memory_budget_bytes / 2
                                      : std::numeric_limits<std::int64_t>::max();
  set.dataset = std::make_shared<const SampleCache>(dataset, kept_bytes);
  {
    const Preprocessing unscaled = set.preprocessing;
    Reader reader(*set.dataset, unscaled, context);
    if (Status found = findStatistics(reader, labelled, set); !found) {
      return failWith(found);
    }
  }
  std::vector<std::int64_t> kept_labels;
  for (const std::int64_t item : set.items) {
    kept_labels.push_back(labels[static_cast<std::size_t>(item)]);
  }
  set.labels = at::tensor(kept_labels, at::kLong);
  if (Status usable = checkClasses(dataset, set); !usable) {
    return failWith(usable);
  }
  set.classes = std::max(set.labels.max().item<std::int64_t>() + 1,
                         static_cast<std::int64_t>(dataset.info().class_names.size()));
  ContentHash hash;
  const Status hashed =
      Reader(*set.dataset, set.preprocessing, context)
          .pass(set.items, "compare training set", [&](const Batch& batch) {
            if (Status same = requireReadable(batch); !same) {
              return same;
            }
            for (std::int64_t row = 0; row < batch.inputs.extent(0); ++row) {
              const std::int64_t i = hash.count();
              hash.add(i, kept_labels[static_cast<std::size_t>(i)], batch.inputs.row(row));
            }
            return Status();
          });
  if (!hashed) {
    return failWith(hashed);
  }
  set.content_hash = hash.hex();
  return set;
}

}  // namespace dubito
