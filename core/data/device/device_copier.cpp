// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/ops/empty.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "core/data/device/device_copier_torch.h"

namespace dubito {
namespace {

/// One stream for all copiers to a device: torch keeps freed memory for the stream that it was
/// allocated on.
c10::Stream copyStream(c10::Device device) {
  static std::mutex mutex;
  static std::map<c10::DeviceIndex, c10::Stream> streams;
  const std::scoped_lock lock(mutex);
  if (const auto found = streams.find(device.index()); found != streams.end()) {
    return found->second;
  }
  const c10::impl::VirtualGuardImpl of_device(device.type());
  return streams.emplace(device.index(), of_device.getStreamFromGlobalPool(device)).first->second;
}

/// Uses the interface that torch has for streams of all kinds of devices, so that programs need not
/// link the CUDA libraries.
class StreamCopier : public DeviceCopier {
 public:
  explicit StreamCopier(c10::Device device)
      : device_(device), streams_(device.type()), stream_(copyStream(device)) {}
  ~StreamCopier() override;

  StartedCopy start(const at::Tensor& on_cpu) override;

 private:
  /// The values of `on_cpu` in page-locked memory; undefined if there is none.
  [[nodiscard]] at::Tensor staged(const at::Tensor& on_cpu);

  c10::Device device_;
  c10::impl::VirtualGuardImpl streams_;
  c10::Stream stream_;
  at::Tensor page_locked_;
  std::shared_ptr<c10::Event> last_copied_;
  bool is_first_ = true;
  bool may_lock_pages_ = true;
};

StreamCopier::~StreamCopier() {
  try {
    const bool has_locked_pages = page_locked_.defined();
    // Torch marks on the stream when the memory is free, so wait after giving it back.
    page_locked_.reset();
    stream_.synchronize();
    if (has_locked_pages) {
      // Torch would keep the pages locked until the program ends.
      at::getHostAllocator(device_.type())->empty_cache();
    }
  } catch (const std::exception&) {
    // The device failed, which the computation itself reports.
  }
}

at::Tensor StreamCopier::staged(const at::Tensor& on_cpu) {
  // The first copy has nothing to overlap with, and locking pages takes longer than it.
  if (std::exchange(is_first_, false) || !may_lock_pages_) {
    return {};
  }
  const auto bytes = static_cast<std::int64_t>(on_cpu.nbytes());
  if (last_copied_) {
    last_copied_->synchronize();
  }
  if (!page_locked_.defined() || page_locked_.numel() < bytes) {
    page_locked_.reset();
    try {
      page_locked_ = at::empty({bytes}, at::TensorOptions(at::kByte).pinned_memory(true));
    } catch (const std::exception&) {
      may_lock_pages_ = false;  // the system limits them
      return {};
    }
  }
  // Not by torch, which would start a second pool of threads for this one.
  std::memcpy(page_locked_.mutable_data_ptr(), on_cpu.const_data_ptr(), on_cpu.nbytes());
  return page_locked_.slice(0, 0, bytes).view(on_cpu.scalar_type()).view(on_cpu.sizes());
}

StartedCopy StreamCopier::start(const at::Tensor& on_cpu) {
  const at::Tensor rows = on_cpu.contiguous();
  const at::Tensor from = staged(rows);
  // Also for the allocation: the memory then belongs to this stream.
  const c10::StreamGuard guard(stream_);
  at::Tensor copy = at::empty(rows.sizes(), rows.options().device(device_));
  // A copy from ordinary memory waits, because that memory may be reused.
  copy.copy_(from.defined() ? from : rows, /*non_blocking=*/from.defined());
  last_copied_ = std::make_shared<c10::Event>(device_.type());
  last_copied_->record(stream_);
  return {copy, [streams = streams_, device = device_, copied = last_copied_, copy] {
            const c10::Stream current = streams.getStream(device);
            copied->block(current);
            // The memory is reused for another copy only when `current` has finished with it.
            streams.recordDataPtrOnStream(copy.storage().data_ptr(), current);
          }};
}

}  // namespace

std::unique_ptr<DeviceCopier> makeDeviceCopier(c10::Device device) {
  return device.is_cpu() ? nullptr : std::make_unique<StreamCopier>(device);
}

}  // namespace dubito
