// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dubito {

/// Whether a value is the training flag of the network or of a module in it.
[[nodiscard]] bool isTrainingFlag(const torch::jit::Value* value);

/// Whether a scalar may have another value in training than in inference: a training flag, or what
/// a program computes from one.
[[nodiscard]] bool dependsOnTraining(const torch::jit::Value* value);

/// The condition of a branch in a mode; nullopt if it depends on more than the mode.
[[nodiscard]] std::optional<bool> conditionInMode(bool training, const torch::jit::Module& module,
                                                  const torch::jit::Node* branch);

/// Whether training may take another side of a branch than inference.
[[nodiscard]] bool isTrainingBranch(const torch::jit::Module& module,
                                    const torch::jit::Node* branch);

/// The branches on the mode that contain a node, innermost first.
[[nodiscard]] std::vector<torch::jit::Node*> trainingBranchesAround(
    const torch::jit::Module& module, const torch::jit::Node* node);

/// Whether training may reach a node: no branch around it is known to take its other side.
[[nodiscard]] bool isReachedInTraining(const torch::jit::Module& module,
                                       const torch::jit::Node* node);

/// Operators outside of what draws whose results differ between training and inference.
[[nodiscard]] std::vector<std::string> changedByTraining(torch::jit::Graph& graph,
                                                         const torch::jit::Module& module);

/// Whether followFlag() can compute the value again: nothing on the way has effects or draws. What
/// comes out of the branches `followed` need not be computed again.
[[nodiscard]] bool canFollowFlag(const torch::jit::Value* value,
                                 const std::set<const torch::jit::Node*>& followed);

/// The scalar `value` with `flag` in place of every training flag that it is computed from;
/// inserted before `user`.
[[nodiscard]] torch::jit::Value* followFlag(torch::jit::Value* value, torch::jit::Value* flag,
                                            torch::jit::Node* user);

}  // namespace dubito
