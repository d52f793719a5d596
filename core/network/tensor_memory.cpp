// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <mutex>

#include "core/network/tensor_memory_torch.h"

namespace dubito {

/// Called by torch's allocators.
class TensorMemoryMeter::Report : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*ptr*/, std::int64_t alloc_size, std::size_t /*total_allocated*/,
                         std::size_t /*total_reserved*/, c10::Device device) override {
    const std::scoped_lock lock(mutex_);
    (device.is_cpu() ? cpu_ : devices_).add(alloc_size);
  }
  [[nodiscard]] bool memoryProfilingEnabled() const override { return true; }

  [[nodiscard]] std::int64_t peak(bool of_cpu) const {
    const std::scoped_lock lock(mutex_);
    return (of_cpu ? cpu_ : devices_).peak;
  }

 private:
  struct Sum {
    std::int64_t now = 0;
    std::int64_t peak = 0;
    void add(std::int64_t bytes) {
      now += bytes;
      peak = std::max(peak, now);
    }
  };
  mutable std::mutex mutex_;  // backward passes may run on their own threads
  Sum cpu_;
  Sum devices_;
};

TensorMemoryMeter::TensorMemoryMeter()
    : report_(std::make_shared<Report>()), guard_(c10::DebugInfoKind::PROFILER_STATE, report_) {}

std::int64_t TensorMemoryMeter::peakBytes() const {
  return report_->peak(true);
}

std::int64_t TensorMemoryMeter::peakBytesOnDevices() const {
  return report_->peak(false);
}

}  // namespace dubito
