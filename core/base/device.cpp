// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <fstream>

#include "core/base/thread_count.h"

namespace dubito {
namespace {

// The CUDA driver functions needed to list the devices, looked up at run time so that nothing links
// to the driver.
struct CudaDriver {
  int (*init)(unsigned) = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*device_memory)(std::size_t*, int) = nullptr;
  int (*device_attribute)(int*, int, int) = nullptr;
};

template <class F>
bool lookUp(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  return function != nullptr;
}

void queryCuda(DeviceReport& report) {
#ifndef DUBITO_HAS_CUDA
  report.cuda_unavailable_reason =
      "this build has no CUDA kernels (nvcc was not found when it was built)";
  return;
#else
  constexpr int kAttributeComputeMajor = 75;
  constexpr int kAttributeComputeMinor = 76;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    report.cuda_unavailable_reason = "no NVIDIA driver is installed (libcuda.so.1 was not found)";
    return;
  }
  CudaDriver driver;
  if (!lookUp(library, "cuInit", driver.init) ||
      !lookUp(library, "cuDeviceGetCount", driver.device_count) ||
      !lookUp(library, "cuDeviceGetName", driver.device_name) ||
      !lookUp(library, "cuDeviceTotalMem_v2", driver.device_memory) ||
      !lookUp(library, "cuDeviceGetAttribute", driver.device_attribute)) {
    report.cuda_unavailable_reason = "the NVIDIA driver is too old (libcuda.so.1 lacks a function)";
    return;
  }
  if (const int status = driver.init(0); status != 0) {
    report.cuda_unavailable_reason = fmt::format(
        "the NVIDIA driver failed to initialise (cuInit returned {}); check that a device is "
        "present",
        status);
    return;
  }
  int count = 0;
  if (driver.device_count(&count) != 0 || count == 0) {
    report.cuda_unavailable_reason = "the NVIDIA driver found no device";
    return;
  }
  for (int index = 0; index < count; ++index) {
    CudaDeviceInfo info;
    info.index = index;
    char name[256] = {};
    driver.device_name(name, sizeof(name), index);
    info.name = name;
    std::size_t bytes = 0;
    driver.device_memory(&bytes, index);
    info.memory_bytes = static_cast<std::int64_t>(bytes);
    driver.device_attribute(&info.compute_major, kAttributeComputeMajor, index);
    driver.device_attribute(&info.compute_minor, kAttributeComputeMinor, index);
    report.cuda_devices.push_back(info);
  }
#endif
}

/// The driver functions behind freeDeviceMemory; driver handles are opaque.
struct CudaMemoryDriver {
  int (*init)(unsigned) = nullptr;
  int (*retain_context)(void**, int) = nullptr;
  int (*push_context)(void*) = nullptr;
  int (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  int (*pop_context)(void**) = nullptr;
  int (*release_context)(int) = nullptr;

  [[nodiscard]] static bool load(CudaMemoryDriver& driver) {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && lookUp(library, "cuInit", driver.init) &&
           lookUp(library, "cuDevicePrimaryCtxRetain", driver.retain_context) &&
           lookUp(library, "cuCtxPushCurrent_v2", driver.push_context) &&
           lookUp(library, "cuMemGetInfo_v2", driver.memory_info) &&
           lookUp(library, "cuCtxPopCurrent_v2", driver.pop_context) &&
           lookUp(library, "cuDevicePrimaryCtxRelease_v2", driver.release_context);
  }
};

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) {
      const auto colon = line.find(": ");
      return colon == std::string::npos ? line : line.substr(colon + 2);
    }
  }
  return "unknown CPU";
}

}  // namespace

Expected<Device> parseDevice(const std::string& text) {
  if (text == "cpu") {
    return Device{};
  }
  if (text == "cuda") {
    return Device{Device::Kind::kCuda, 0};
  }
  constexpr std::string_view kPrefix = "cuda:";
  if (text.rfind(kPrefix, 0) == 0) {
    int index = -1;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + kPrefix.size(), end, index);
    if (error == std::errc{} && stopped == end && index >= 0) {
      return Device{Device::Kind::kCuda, index};
    }
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown device '{}'; use cpu, cuda or cuda:N", text));
}

std::string toString(const Device& device) {
  return device.isCuda() ? fmt::format("cuda:{}", device.index) : "cpu";
}

std::int64_t freeDeviceMemory(int index) {
  CudaMemoryDriver driver;
  void* context = nullptr;
  if (!CudaMemoryDriver::load(driver) || driver.init(0) != 0 ||
      driver.retain_context(&context, index) != 0) {
    return 0;
  }
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (driver.push_context(context) == 0) {
    if (driver.memory_info(&free_bytes, &total_bytes) != 0) {
      free_bytes = 0;
    }
    void* popped = nullptr;
    driver.pop_context(&popped);
  }
  driver.release_context(index);
  return static_cast<std::int64_t>(free_bytes);
}

DeviceReport queryDevices() {
  DeviceReport report;
  report.cpu_name = cpuName();
  report.cpu_threads = processorCount();
  report.memory_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  queryCuda(report);
  return report;
}

}  // namespace dubito
