// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/device.h"
#include "core/base/expected.h"

namespace dubito {

/// Loads libdubito_cuda.so (our kernels and, with them, torch's CUDA libraries) once per process,
/// so that programs that do no GPU work start without it. Searches next to the executable, in
/// ../lib, then the system's library path. If CUDA is unavailable, fails with the reason given by
/// queryDevices(), within a few milliseconds. Torch checks for CUDA the first time it matters
/// (loading a model, seeding) and never again, so call this before any other use of torch if a GPU
/// may be needed later, as loadModel does. Fails and says so if called too late.
[[nodiscard]] Status loadCudaLibrary();

/// Call before the first tensor goes to `device`; does nothing for the CPU. Loads the CUDA library,
/// checks that the device exists, and disables TF32 for matrix products and convolutions so that
/// float32 results agree with the CPU to 1e-5.
[[nodiscard]] Status prepareCuda(const Device& device);

struct DiagonalBridgeTask;
struct LogitNormalBatch;
struct SummaryTask;

/// Exported by libdubito_cuda.so in addition to keyed dropout (torch/keyed_dropout_cuda_torch.h).
/// All pointers are host pointers, except the draws to be summarised; the call copies to device
/// number `device_index` and back. Throws c10::Error if a copy or the launch fails.
using BridgeDiagonalCudaFunction = void (*)(const DiagonalBridgeTask& on_host, int device_index);
using LogitNormalCudaFunction = void (*)(const LogitNormalBatch& on_host, int device_index);

using SummariseLogitsCudaFunction = void (*)(const SummaryTask& task, int device_index);

inline constexpr const char* kSummariseLogitsCudaSymbol = "dubito_summarise_logits_cuda_v1";
inline constexpr const char* kBridgeDiagonalCudaSymbol = "dubito_bridge_diagonal_cuda_v1";
inline constexpr const char* kLogitNormalCudaSymbol = "dubito_logit_normal_cuda_v1";
inline constexpr const char* kKeyedDropoutCudaSymbol = "dubito_keyed_dropout_cuda_v2";

/// Two settings of torch, which the library sees and programs without networks do not: whether
/// torch has its CUDA half, and float32 products without TF32.
using CudaIsSeenFunction = bool (*)();
using CudaInFloat32Function = void (*)();

inline constexpr const char* kCudaIsSeenSymbol = "dubito_cuda_is_seen_v1";
inline constexpr const char* kCudaInFloat32Symbol = "dubito_cuda_in_float32_v1";

/// The functions of the loaded library. They throw std::runtime_error with the reason if it cannot
/// be loaded (loadCudaLibrary reports that beforehand).
[[nodiscard]] BridgeDiagonalCudaFunction bridgeDiagonalCudaFunction();
[[nodiscard]] LogitNormalCudaFunction logitNormalCudaFunction();
[[nodiscard]] SummariseLogitsCudaFunction summariseLogitsCudaFunction();

/// The address of kKeyedDropoutCudaSymbol in the loaded library; null where it cannot be loaded
/// (loadCudaLibrary says why).
[[nodiscard]] void* keyedDropoutCudaAddress();

}  // namespace dubito
