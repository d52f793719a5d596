// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace dubito {

/// The tensors that torch.save wrote as a dictionary by name; `file` is the whole file [bytes].
/// Nothing but tensors, dictionaries, lists and numbers is unpickled. Throws std::runtime_error,
/// saying why, for other objects, damaged files, and tensors that reach beyond their records. The
/// tensors are in the memory of `file`, so that weights are not in memory twice.
[[nodiscard]] std::map<std::string, at::Tensor> readSavedTensors(const at::Tensor& file);

}  // namespace dubito
