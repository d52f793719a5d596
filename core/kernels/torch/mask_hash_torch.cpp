// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/torch/mask_hash_torch.h"

#include <ATen/ops/cat.h>

#include <map>
#include <utility>
#include <vector>

#include "core/kernels/philox.h"
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

// Number of keyed dropouts whose hashes may wait.
constexpr std::size_t kMaxPending = 256;

/// Copies a tensor to the host, unless it is the one before: the sites of a pass share their items
/// and draws.
class HostCopy {
 public:
  const std::int64_t* of(const at::Tensor& tensor) {
    if (!tensor.is_same(original_)) {
      original_ = tensor;
      copy_ = tensor.cpu();
    }
    return copy_.const_data_ptr<std::int64_t>();
  }

 private:
  at::Tensor original_;
  at::Tensor copy_;
};

/// All hashes one after the other, on the host. Every copy from a GPU waits for it.
at::Tensor hashesOf(const std::vector<Application>& applications) {
  std::vector<at::Tensor> hashes;
  for (const Application& application : applications) {
    const at::Tensor& first = applications.front().hashes;
    hashes.push_back(application.hashes.to(first.device()));
  }
  return at::cat(hashes).cpu();
}

}  // namespace

struct MaskHashRecorder::Impl {
  std::vector<Application> pending;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> sums;
  Impl* outer = nullptr;

  void addPending() {
    if (pending.empty()) {
      return;
    }
    const at::Tensor hashes = hashesOf(pending);
    const auto* hash = hashes.const_data_ptr<std::int64_t>();
    HostCopy items;
    HostCopy draws;
    for (const Application& application : pending) {
      const std::int64_t* const item = items.of(application.items);
      const std::int64_t* const draw = draws.of(application.draws);
      for (std::int64_t i = 0; i < application.hashes.numel(); ++i, ++hash) {
        // Two rounds bind the mask to its item and execution, so that swapped masks change the sum.
        const std::uint64_t owner = splitmix64(static_cast<std::uint64_t>(item[i])) +
                                    static_cast<std::uint64_t>(application.execution);
        const std::uint64_t bound_hash = splitmix64(static_cast<std::uint64_t>(*hash) ^ owner);
        sums[{application.site, draw[i]}] += bound_hash;
      }
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
  innermost->pending.push_back({site, execution, items, draws, hashes});
  if (innermost->pending.size() >= kMaxPending) {
    innermost->addPending();
  }
}

}  // namespace dubito
