// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/device.h"
#include "core/base/expected.h"

namespace dubito {

/// Loads libdubito_cuda.so, which contains our kernels and depends on torch's CUDA libraries, once
/// per process. Programs that do no GPU work start without it. It is searched for next to the
/// executable, in ../lib, then in the system's library path. If CUDA is unavailable, fails within a
/// few milliseconds with the reason given by queryDevices().
///
/// Torch checks for CUDA only once, when it first needs to know (for example, to load a model or to
/// seed). If a GPU may be needed later, call this before any other use of torch, as loadModel does.
/// A call that comes too late fails with an error that says so.
[[nodiscard]] Status loadCudaLibrary();

/// Prepares the use of `device`; call it before the first tensor is moved there. Does nothing for
/// the CPU. For a GPU, loads the CUDA library, checks that the device exists, and disables TF32 for
/// matrix products and convolutions so that float32 results agree with the CPU to 1e-5.
[[nodiscard]] Status prepareCuda(const Device& device);

struct DiagonalBridgeTask;
struct LogitNormalBatch;
struct SummaryTask;

/// Functions exported by libdubito_cuda.so, in addition to keyed dropout
/// (torch/keyed_dropout_cuda_torch.h). They take host pointers, except for the draws to be
/// summarised, which are already on the device. They copy the inputs to device number
/// `device_index` and the results back, and throw c10::Error if a copy or the launch fails.
using BridgeDiagonalCudaFunction = void (*)(const DiagonalBridgeTask& on_host, int device_index);
using LogitNormalCudaFunction = void (*)(const LogitNormalBatch& on_host, int device_index);

using SummariseLogitsCudaFunction = void (*)(const SummaryTask& task, int device_index);

inline constexpr const char* kSummariseLogitsCudaSymbol = "dubito_summarise_logits_cuda_v1";
inline constexpr const char* kBridgeDiagonalCudaSymbol = "dubito_bridge_diagonal_cuda_v1";
inline constexpr const char* kLogitNormalCudaSymbol = "dubito_logit_normal_cuda_v1";
inline constexpr const char* kKeyedDropoutCudaSymbol = "dubito_keyed_dropout_cuda_v3";

/// Functions exported by libdubito_cuda.so so that programs without networks, which do not link
/// torch, can use torch's settings. The first returns whether torch was able to load its CUDA
/// support, the second disables TF32 in float32 products.
using HasCudaFunction = bool (*)();
using DisableTf32Function = void (*)();

inline constexpr const char* kHasCudaSymbol = "dubito_has_cuda_v1";
inline constexpr const char* kDisableTf32Symbol = "dubito_disable_tf32_v1";

/// The functions exported by the loaded library. They throw std::runtime_error with the reason if
/// the library cannot be loaded; call loadCudaLibrary first to get the reason as an error.
[[nodiscard]] BridgeDiagonalCudaFunction bridgeDiagonalCudaFunction();
[[nodiscard]] LogitNormalCudaFunction logitNormalCudaFunction();
[[nodiscard]] SummariseLogitsCudaFunction summariseLogitsCudaFunction();

/// The address of kKeyedDropoutCudaSymbol in the loaded library; null if the library cannot be
/// loaded (loadCudaLibrary returns the reason).
[[nodiscard]] void* keyedDropoutCudaAddress();

}  // namespace dubito
