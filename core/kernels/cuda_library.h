// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/device.h"
#include "core/base/expected.h"

namespace dubito {

/// Loads libdubito_cuda.so (our kernels, and with them torch's CUDA half) once a process, so that
/// programs without work for a GPU start without it. It is looked for beside the executable, in
/// ../lib, then where the system looks. Fails with the reason of queryDevices() where CUDA cannot
/// be used; that takes a few milliseconds. Torch decides at its first question about CUDA (loading
/// a model, seeding) whether it has any and never again, so whoever may want a GPU later calls this
/// before any other use of torch (loadModel does); called too late it fails and says so.
[[nodiscard]] Status loadCudaLibrary();

/// To be called before the first tensor goes to `device`; does nothing for the processor. Loads the
/// CUDA library, checks the device's number, and turns TF32 off for matrix products and
/// convolutions so that float32 results agree with the processor's to 1e-5.
[[nodiscard]] Status prepareCuda(const Device& device);

struct DiagonalBridgeTask;
struct LogitNormalBatch;

/// What libdubito_cuda.so exports besides keyed dropout (torch/keyed_dropout_cuda_torch.h). All
/// pointers are to the host's memory; the call copies to the device of that number and back. It
/// throws c10::Error where that, or the launch, fails.
using BridgeDiagonalCudaFunction = void (*)(const DiagonalBridgeTask& on_host, int device_index);
using LogitNormalCudaFunction = void (*)(const LogitNormalBatch& on_host, int device_index);

inline constexpr const char* kBridgeDiagonalCudaSymbol = "dubito_bridge_diagonal_cuda_v1";
inline constexpr const char* kLogitNormalCudaSymbol = "dubito_logit_normal_cuda_v1";
inline constexpr const char* kKeyedDropoutCudaSymbol = "dubito_keyed_dropout_cuda_v2";

/// Two settings of torch, which the library sees and programs without networks do not: whether
/// torch has its CUDA half, and float32 products without TF32.
using CudaIsSeenFunction = bool (*)();
using CudaInFloat32Function = void (*)();

inline constexpr const char* kCudaIsSeenSymbol = "dubito_cuda_is_seen_v1";
inline constexpr const char* kCudaInFloat32Symbol = "dubito_cuda_in_float32_v1";

/// The functions of the loaded library; throw std::runtime_error with the reason where it cannot be
/// loaded (loadCudaLibrary tells before).
[[nodiscard]] BridgeDiagonalCudaFunction bridgeDiagonalCudaFunction();
[[nodiscard]] LogitNormalCudaFunction logitNormalCudaFunction();

/// The address of kKeyedDropoutCudaSymbol in the loaded library; null where it cannot be loaded
/// (loadCudaLibrary says why).
[[nodiscard]] void* keyedDropoutCudaAddress();

}  // namespace dubito
