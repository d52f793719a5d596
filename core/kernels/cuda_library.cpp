// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "core/base/bundled_library.h"

namespace dubito {
namespace {

struct LoadedLibrary {
  void* keyed_dropout = nullptr;
  BridgeDiagonalCudaFunction bridge_diagonal = nullptr;
  LogitNormalCudaFunction logit_normal = nullptr;
  SummariseLogitsCudaFunction summarise_logits = nullptr;
  DisableTf32Function disable_tf32 = nullptr;
  std::string failure;  ///< empty if loaded
};

LoadedLibrary load() {
  LoadedLibrary loaded;
  if (const DeviceReport report = queryDevices(); !report.cuda_unavailable_reason.empty()) {
    loaded.failure =
        fmt::format("CUDA cannot be used: {}; use the device cpu", report.cuda_unavailable_reason);
    return loaded;
  }
  const Expected<void*> handle = loadBundledLibrary("libdubito_cuda.so");
  if (!handle) {
    loaded.failure =
        handle.error().message + "; put the file next to the program or use the device cpu";
    return loaded;
  }
  loaded.keyed_dropout = dlsym(*handle, kKeyedDropoutCudaSymbol);
  loaded.bridge_diagonal =
      reinterpret_cast<BridgeDiagonalCudaFunction>(dlsym(*handle, kBridgeDiagonalCudaSymbol));
  loaded.logit_normal =
      reinterpret_cast<LogitNormalCudaFunction>(dlsym(*handle, kLogitNormalCudaSymbol));
  loaded.summarise_logits =
      reinterpret_cast<SummariseLogitsCudaFunction>(dlsym(*handle, kSummariseLogitsCudaSymbol));
  loaded.disable_tf32 = reinterpret_cast<DisableTf32Function>(dlsym(*handle, kDisableTf32Symbol));
  const auto has_cuda = reinterpret_cast<HasCudaFunction>(dlsym(*handle, kHasCudaSymbol));
  if (loaded.keyed_dropout == nullptr || loaded.bridge_diagonal == nullptr ||
      loaded.logit_normal == nullptr || loaded.summarise_logits == nullptr ||
      loaded.disable_tf32 == nullptr || has_cuda == nullptr) {
    loaded.keyed_dropout = nullptr;
    loaded.failure = "libdubito_cuda.so: it belongs to another version; rebuild it";
  } else if (!has_cuda()) {
    loaded.keyed_dropout = nullptr;
    loaded.failure =
        "libdubito_cuda.so: it was loaded after torch had settled on the CPU; restart the program "
        "and select the device first";
  }
  return loaded;
}

const LoadedLibrary& library() {
  static const LoadedLibrary loaded = load();
  return loaded;
}

void requireLibrary() {
  if (!library().failure.empty()) {
    throw std::runtime_error(library().failure);
  }
}

}  // namespace

Status loadCudaLibrary() {
  if (!library().failure.empty()) {
    return fail(ErrorCode::kUnsupported, library().failure);
  }
  return {};
}

void* keyedDropoutCudaAddress() {
  return library().keyed_dropout;
}

BridgeDiagonalCudaFunction bridgeDiagonalCudaFunction() {
  requireLibrary();
  return library().bridge_diagonal;
}

LogitNormalCudaFunction logitNormalCudaFunction() {
  requireLibrary();
  return library().logit_normal;
}

SummariseLogitsCudaFunction summariseLogitsCudaFunction() {
  requireLibrary();
  return library().summarise_logits;
}

Status prepareCuda(const Device& device) {
  if (!device.isCuda()) {
    return {};
  }
  if (Status loaded = loadCudaLibrary(); !loaded) {
    return loaded;
  }
  const auto count = static_cast<int>(queryDevices().cuda_devices.size());
  if (device.index >= count) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("device {} does not exist: the driver sees {}; use cuda:0 to cuda:{}",
                            toString(device), count, count - 1));
  }
  library().disable_tf32();
  return {};
}

}  // namespace dubito
