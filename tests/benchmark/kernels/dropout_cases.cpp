// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <limits>

#include "core/base/memory_budget.h"
#include "core/kernels/cuda/keyed_dropout_cuda.h"
#include "tests/benchmark/kernels/case_values.h"
#include "tests/benchmark/kernels/kernel_case.h"

namespace dubito::benchmarks {
namespace {

struct DropoutShape {
  const char* name;
  std::int64_t items;
  std::int64_t decisions;
  std::int64_t group_size = 1;
  bool of_units = false;  ///< a rate per decision of an item
  bool hashes = false;    ///< the masks' hashes as well, as `predict` wants them
};

class DropoutCase : public KernelCase {
 public:
  explicit DropoutCase(const DropoutShape& shape) : shape_(shape) {}

  [[nodiscard]] std::string name() const override { return shape_.name; }
  [[nodiscard]] std::string shape() const override {
    return shape_.group_size == 1
               ? fmt::format("{} x {}", shape_.items, shape_.decisions)
               : fmt::format("{} x {} x {}", shape_.items, shape_.decisions, shape_.group_size);
  }
  [[nodiscard]] double bytes() const override {
    return 2.0 * sizeof(float) * static_cast<double>(elements());
  }

  void prepare() override {
    x_ = inventedOnDevice(elements(), kInput);
    y_ = OnDevice<float>(elements());
    ids_ = OnDevice<std::int64_t>(inventedIds(shape_.items));
    draws_ = OnDevice<std::int64_t>(draws());
    hashes_ = OnDevice<std::uint64_t>(shape_.hashes ? shape_.items : 0);
    thresholds_ = OnDevice<std::uint32_t>(thresholds());
    scales_ = OnDevice<float>(scales());
    batch_ = geometry();
    batch_.x = x_.data();
    batch_.y = y_.data();
    batch_.item_ids = ids_.data();
    batch_.draws = draws_.data();
    batch_.mask_hashes = hashes_.data();
    batch_.thresholds = thresholds_.data();
    batch_.scales = scales_.data();
  }
  void poison() override {
    y_.poison();
    clearHashes();
  }
  void launch() override { require(launchKeyedDropout(batch_, nullptr), "keyed dropout"); }
  [[nodiscard]] std::uint64_t outputHash() override { return addToHash(0, y_.read()); }

  void prepareHost(const RunContext& context) override {
    host_x_ = inventedOnHost(elements(), kInput, context);
    host_y_.resize(host_x_.size());
    host_ids_ = inventedIds(shape_.items);
    host_draws_ = draws();
    host_hashes_.resize(shape_.hashes ? static_cast<std::size_t>(shape_.items) : 0);
    host_thresholds_ = thresholds();
    host_scales_ = scales();
  }
  void runHost(const RunContext& context) override {
    KeyedDropoutBatch batch = geometry();
    batch.x = host_x_.data();
    batch.y = host_y_.data();
    batch.item_ids = host_ids_.data();
    batch.draws = host_draws_.data();
    batch.mask_hashes = shape_.hashes ? host_hashes_.data() : nullptr;
    batch.thresholds = host_thresholds_.data();
    batch.scales = host_scales_.data();
    constexpr std::int64_t kElementsPerTask = 65536;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kElementsPerTask / (shape_.decisions * shape_.group_size));
    context.parallelFor(shape_.items, grain, [&](std::int64_t begin, std::int64_t end) {
      keyedDropoutCpu(batch, begin, end);
    });
  }
  /// Masks and products are the same to the last bit.
  [[nodiscard]] double differenceToHost() override {
    clearHashes();
    launch();
    const bool same = y_.read() == host_y_ && hashes_.read() == host_hashes_;
    return same ? 0.0 : std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr Spread kInput{1.0F, 0.5F, 1};

  [[nodiscard]] std::int64_t elements() const {
    return shape_.items * shape_.decisions * shape_.group_size;
  }
  [[nodiscard]] KeyedDropoutBatch geometry() const {
    KeyedDropoutBatch batch;
    batch.items = shape_.items;
    batch.decisions = shape_.decisions;
    batch.group_size = shape_.group_size;
    batch.key_low = 0x12345678U;
    batch.key_high = 0x9ABCDEF0U;
    batch.threshold = 1U << 30;  // a quarter is dropped
    batch.scale = 4.0F / 3.0F;
    batch.units = shape_.of_units ? shape_.decisions : 0;
    return batch;
  }
  [[nodiscard]] std::vector<std::int64_t> draws() const {
    std::vector<std::int64_t> draws(static_cast<std::size_t>(shape_.items));
    for (std::size_t i = 0; i < draws.size(); ++i) {
      draws[i] = static_cast<std::int64_t>(i % 50);
    }
    return draws;
  }
  [[nodiscard]] std::vector<std::uint32_t> thresholds() const {
    std::vector<std::uint32_t> values(shape_.of_units ? static_cast<std::size_t>(shape_.decisions)
                                                      : 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::uint32_t>(i * 2654435761U) / 2;
    }
    return values;
  }
  [[nodiscard]] std::vector<float> scales() const {
    std::vector<float> values;
    for (const std::uint32_t threshold : thresholds()) {
      values.push_back(static_cast<float>(1.0 / (1.0 - static_cast<double>(threshold) * 0x1p-32)));
    }
    return values;
  }
  void clearHashes() const {
    if (hashes_.size() > 0) {
      hashes_.clear();
    }
  }

  DropoutShape shape_;
  KeyedDropoutBatch batch_;
  OnDevice<float> x_, y_, scales_;
  OnDevice<std::int64_t> ids_, draws_;
  OnDevice<std::uint64_t> hashes_;
  OnDevice<std::uint32_t> thresholds_;
  std::vector<float> host_x_, host_y_, host_scales_;
  std::vector<std::int64_t> host_ids_, host_draws_;
  std::vector<std::uint64_t> host_hashes_;
  std::vector<std::uint32_t> host_thresholds_;
};

/// Whether host and device have room for more elements than 32 bits count.
bool fitsTwoBillion() {
  constexpr std::int64_t kBytesOnHost = std::int64_t{40} << 30;
  constexpr std::size_t kBytesOnDevice = std::size_t{20} << 30;
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  return availableMemory() > kBytesOnHost &&
         cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess && free_bytes > kBytesOnDevice;
}

std::vector<DropoutShape> dropoutShapes(Sizes sizes) {
  switch (sizes) {
    case Sizes::kSmall:
      return {{"dropout", 1, 1, 1, false, true},     {"dropout", 13, 801, 1, false, true},
              {"dropout", 7, 64, 1, true, true},     {"dropout", 3, 5, 1, true, false},
              {"dropout channels", 5, 9, 49},        {"dropout channels", 3, 6, 3, false, true},
              {"dropout channels", 2, 4, 1000, true}};
    case Sizes::kModest:
      return {{"dropout", 2048, 500}, {"dropout channels", 16, 64, 784}};
    case Sizes::kLarge:
    case Sizes::kExtreme:
      break;
  }
  std::vector<DropoutShape> shapes{{"dropout", 16384, 4096},
                                   {"dropout, masks hashed", 16384, 4096, 1, false, true},
                                   {"dropout, rate per unit", 16384, 4096, 1, true, true},
                                   {"dropout, odd rows", 131072, 501, 1, false, true},
                                   {"dropout channels", 512, 64, 3136, false, true},
                                   {"dropout channels", 8192, 512, 49, false, true}};
  if (sizes == Sizes::kExtreme) {
    shapes.push_back({"dropout", 100'000'000, 4});
    if (fitsTwoBillion()) {
      shapes.push_back({"dropout", 524'289, 4096});
    }
  }
  return shapes;
}

}  // namespace

void addDropoutCases(Sizes sizes, KernelCases& cases) {
  for (const DropoutShape& shape : dropoutShapes(sizes)) {
    cases.push_back(std::make_unique<DropoutCase>(shape));
  }
}

}  // namespace dubito::benchmarks
