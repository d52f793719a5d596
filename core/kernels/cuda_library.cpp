// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda_library.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "core/base/library_beside.h"
#include "core/kernels/cuda_library_torch.h"

namespace dubito {
namespace {

struct LoadedLibrary {
  KeyedDropoutCudaFunction keyed_dropout = nullptr;
  BridgeDiagonalCudaFunction bridge_diagonal = nullptr;
  LogitNormalCudaFunction logit_normal = nullptr;
  std::string failure;  ///< empty where it was loaded
};

LoadedLibrary load() {
  LoadedLibrary loaded;
  if (const DeviceReport report = queryDevices(); !report.cuda_unavailable_reason.empty()) {
    loaded.failure =
        fmt::format("CUDA cannot be used: {}; use the device cpu", report.cuda_unavailable_reason);
    return loaded;
  }
  const Expected<void*> handle = loadLibraryBeside("libdubito_cuda.so");
  if (!handle) {
    loaded.failure =
        handle.error().message + "; put the file beside the program or use the device cpu";
    return loaded;
  }
  loaded.keyed_dropout =
      reinterpret_cast<KeyedDropoutCudaFunction>(dlsym(*handle, kKeyedDropoutCudaSymbol));
  loaded.bridge_diagonal =
      reinterpret_cast<BridgeDiagonalCudaFunction>(dlsym(*handle, kBridgeDiagonalCudaSymbol));
  loaded.logit_normal =
      reinterpret_cast<LogitNormalCudaFunction>(dlsym(*handle, kLogitNormalCudaSymbol));
  if (loaded.keyed_dropout == nullptr || loaded.bridge_diagonal == nullptr ||
      loaded.logit_normal == nullptr) {
    loaded.keyed_dropout = nullptr;
    loaded.failure = "libdubito_cuda.so: it belongs to another version; build it again";
  } else if (!at::detail::getCUDAHooks().hasCUDART()) {
    loaded.keyed_dropout = nullptr;
    loaded.failure =
        "libdubito_cuda.so: it was loaded after torch had settled on the processor alone; start "
        "the program again and choose the device first";
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

KeyedDropoutCudaFunction keyedDropoutCudaFunction() {
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
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
  return {};
}

}  // namespace dubito
