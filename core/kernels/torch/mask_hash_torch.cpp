// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/torch/mask_hash_torch.h"

#include <ATen/ops/cat.h>

#include <map>
#include <utility>
#include <vector>

#include "core/base/splitmix64.h"
#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

struct Application {
  std::int64_t site = 0;
  std::int64_t execution = 0;
  at::Tensor items;
  at::Tensor draws;
  at::Tensor hashes;
};

// Number of keyed dropouts whose hashes may wait on a GPU.
constexpr std::size_t kMaxPending = 256;

}  // namespace

struct MaskHashRecorder::Impl {
  std::vector<Application> pending;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> sums;
  Impl* outer = nullptr;

  /// All tensors must be on the CPU.
  void add(const Application& application) {
    const auto* const item = application.items.const_data_ptr<std::int64_t>();
    const auto* const draw = application.draws.const_data_ptr<std::int64_t>();
    const auto* const hash = application.hashes.const_data_ptr<std::int64_t>();
    // Rows of a draw follow each other; looking up the sum takes longer than adding to it.
    std::uint64_t* sum = nullptr;
    for (std::int64_t i = 0; i < application.items.numel(); ++i) {
      if (item[i] == kPaddedItem) {
        sum = nullptr;
        continue;
      }
      if (sum == nullptr || draw[i] != draw[i - 1]) {
        sum = &sums[{application.site, draw[i]}];
      }
      // Two rounds bind the mask to its item and execution, so that swapped masks change the sum.
      const std::uint64_t owner = splitmix64(static_cast<std::uint64_t>(item[i])) +
                                  static_cast<std::uint64_t>(application.execution);
      const std::uint64_t bound_hash = splitmix64(static_cast<std::uint64_t>(hash[i]) ^ owner);
      *sum += bound_hash;
    }
  }

  void addPending() {
    if (pending.empty()) {
      return;
    }
    // One copy for all: each waits for the stream.
    const at::Device device = pending.front().hashes.device();
    std::vector<at::Tensor> tensors;
    for (const Application& application : pending) {
      for (const at::Tensor& tensor : {application.items, application.draws, application.hashes}) {
        tensors.push_back(tensor.to(device));
      }
    }
    const at::Tensor on_cpu = at::cat(tensors).cpu();
    std::int64_t begin = 0;
    for (const Application& application : pending) {
      const std::int64_t count = application.items.numel();
      add({application.site, application.execution, on_cpu.slice(0, begin, begin + count),
           on_cpu.slice(0, begin + count, begin + 2 * count),
           on_cpu.slice(0, begin + 2 * count, begin + 3 * count)});
      begin += 3 * count;
    }
    pending.clear();
  }
};

namespace {

thread_local MaskHashRecorder::Impl* innermost = nullptr;

}  // namespace

MaskHashRecorder::MaskHashRecorder() : impl_(std::make_unique<Impl>()) {
  impl_->outer = innermost;
  innermost = impl_.get();
}

MaskHashRecorder::~MaskHashRecorder() {
  innermost = impl_->outer;
}

std::vector<MaskHashRecorder::Entry> MaskHashRecorder::entries() const {
  impl_->addPending();
  std::vector<Entry> entries;
  entries.reserve(impl_->sums.size());
  for (const auto& [place, hash] : impl_->sums) {
    entries.push_back({place.first, place.second, hash});
  }
  return entries;
}

void MaskHashRecorder::handOver() {
  if (impl_->outer == nullptr) {
    return;
  }
  Impl& outer = *impl_->outer;
  outer.pending.insert(outer.pending.end(), impl_->pending.begin(), impl_->pending.end());
  for (const auto& [place, hash] : impl_->sums) {
    outer.sums[place] += hash;
  }
  impl_->pending.clear();
  impl_->sums.clear();
}

bool isRecordingMaskHashes() {
  return innermost != nullptr;
}

void recordMaskHashes(std::int64_t site, std::int64_t execution, const at::Tensor& items,
                      const at::Tensor& draws, const at::Tensor& hashes) {
  const Application application{site, execution, items, draws, hashes};
  if (hashes.is_cpu() && items.is_cpu() && draws.is_cpu()) {
    innermost->add(application);
    return;
  }
  innermost->pending.push_back(application);
  if (innermost->pending.size() >= kMaxPending) {
    innermost->addPending();
  }
}

}  // namespace dubito
