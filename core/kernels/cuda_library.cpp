// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda_library.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

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
  const std::string name = "libdubito_cuda.so";
  std::vector<std::string> candidates;
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    candidates.push_back((executable.parent_path() / name).string());
    candidates.push_back((executable.parent_path().parent_path() / "lib" / name).string());
  }
  candidates.push_back(name);
  std::string reason;
  for (const std::string& candidate : candidates) {
    void* const library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library != nullptr) {
      loaded.keyed_dropout =
          reinterpret_cast<KeyedDropoutCudaFunction>(dlsym(library, kKeyedDropoutCudaSymbol));
      loaded.bridge_diagonal =
          reinterpret_cast<BridgeDiagonalCudaFunction>(dlsym(library, kBridgeDiagonalCudaSymbol));
      loaded.logit_normal =
          reinterpret_cast<LogitNormalCudaFunction>(dlsym(library, kLogitNormalCudaSymbol));
      if (loaded.keyed_dropout == nullptr || loaded.bridge_diagonal == nullptr ||
          loaded.logit_normal == nullptr) {
        loaded.keyed_dropout = nullptr;
        loaded.failure =
            fmt::format("{}: it belongs to another version; build it again", candidate);
      } else if (!at::detail::getCUDAHooks().hasCUDART()) {
        loaded.keyed_dropout = nullptr;
        loaded.failure = fmt::format(
            "{}: it was loaded after torch had settled on the processor alone; start the program "
            "again and choose the device first",
            candidate);
      }
      return loaded;
    }
    if (reason.empty() || std::filesystem::exists(candidate, error)) {
      reason = dlerror();
    }
  }
  loaded.failure = fmt::format(
      "{}: the CUDA kernels cannot be loaded ({}); put the file beside the program or use the "
      "device cpu",
      name, reason);
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
