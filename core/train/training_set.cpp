// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/train/training_set_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsPerRead = 512;
constexpr std::int64_t kMostClasses = 1 << 20;
constexpr double kSmallestDeviation = 1e-6;

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

Status checkBudget(const Dataset& dataset, std::int64_t items, std::int64_t item_size,
                   const RunContext& context) {
  const std::int64_t bytes = items * item_size * static_cast<std::int64_t>(sizeof(float));
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("{}: {} items take {:.1f} GB, more than the {:.1f} GB allowed; train on "
                    "a part with ?items=0:N",
                    dataset.info().spec, items, static_cast<double>(bytes) / 1e9,
                    static_cast<double>(context.memory_budget_bytes) / 1e9));
  }
  return {};
}

// Subtracts the mean and divides by the deviation, in place, and notes both.
void normalise(TrainingSet& set) {
  const bool by_channel = set.inputs.dim() == 4;
  const std::int64_t channels = by_channel ? set.inputs.size(1) : 1;
  for (std::int64_t c = 0; c < channels; ++c) {
    at::Tensor values = by_channel ? set.inputs.select(1, c) : set.inputs;
    const double mean = values.mean(at::kDouble).item<double>();
    double squares = 0.0;
    for (const at::Tensor& part : values.split(kItemsPerRead)) {
      squares += (part.to(at::kDouble) - mean).square().sum().item<double>();
    }
    // A constant channel stays constant.
    const double deviation = std::sqrt(squares / static_cast<double>(values.numel()));
    const double divisor = deviation > kSmallestDeviation ? deviation : 1.0;
    values.sub_(mean).div_(divisor);
    set.preprocessing.mean.push_back(mean);
    set.preprocessing.std.push_back(divisor);
  }
}

Status checkClasses(const Dataset& dataset, const TrainingSet& set) {
  const std::int64_t largest = set.labels.max().item<std::int64_t>();
  if (largest >= kMostClasses) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: label {} is too large for a class; number the classes from 0",
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
  const auto total = static_cast<std::int64_t>(labelled.size());
  std::vector<std::int64_t> kept_labels;
  std::int64_t rows = 0;
  for (std::int64_t begin = 0; begin < total; begin += kItemsPerRead) {
    if (context.step("read training set", begin, total) != Step::kContinue) {
      return cancelled();
    }
    const auto count = static_cast<std::size_t>(std::min(kItemsPerRead, total - begin));
    const Expected<Batch> batch =
        loadBatch(dataset, std::span(labelled).subspan(static_cast<std::size_t>(begin), count),
                  set.preprocessing, context);
    if (!batch) {
      return failWith(batch);
    }
    set.unreadable += static_cast<std::int64_t>(batch->unreadable.size());
    if (batch->indices.empty()) {
      continue;
    }
    if (!set.inputs.defined()) {
      if (Status fits = checkBudget(dataset, total, batch->inputs.rowSize(), context); !fits) {
        return failWith(fits);
      }
      std::vector<std::int64_t> shape = batch->inputs.shape();
      shape[0] = total;
      set.inputs = at::empty(shape, at::kFloat);
    }
    std::copy_n(batch->inputs.data(), batch->inputs.size(),
                set.inputs.mutable_data_ptr<float>() + rows * batch->inputs.rowSize());
    rows += batch->inputs.extent(0);
    for (const std::int64_t index : batch->indices) {
      kept_labels.push_back(labels[static_cast<std::size_t>(index)]);
    }
  }
  set.inputs = set.inputs.narrow(0, 0, rows);
  set.labels = at::tensor(kept_labels, at::kLong);
  if (Status usable = checkClasses(dataset, set); !usable) {
    return failWith(usable);
  }
  set.classes = std::max(set.labels.max().item<std::int64_t>() + 1,
                         static_cast<std::int64_t>(dataset.info().class_names.size()));
  normalise(set);
  return set;
}

}  // namespace dubito
