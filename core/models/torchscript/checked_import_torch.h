// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <string_view>

namespace caffe2::serialize {
class PyTorchStreamReader;
}

namespace dubito {

/// Imports the network of a TorchScript archive onto the CPU as torch::jit::load does, except that
/// the program is compiled and checked before anything of it runs: torch::jit::load runs
/// `__setstate__` methods, defaults of arguments and constants of classes while it reads. Throws
/// RefusedProgram for operators, classes and objects that a network file must not contain, and for
/// tensors that reach beyond the bytes stored for them.
[[nodiscard]] torch::jit::Module importChecked(
    const std::shared_ptr<caffe2::serialize::PyTorchStreamReader>& archive);

/// Throws like importChecked if torch should not read an archive, given as its bytes: what an
/// optimiser saved is such an archive too.
void checkArchive(std::string_view bytes);

}  // namespace dubito
