// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/util/accumulate.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <utility>
#include <vector>

#include "core/models/model.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// A network from source text, float32 parameters and buffers, for images of `side` x `side` grey
/// pixels.
inline ModelPtr madeNetwork(const TempDir& folder, const std::string& name,
                            const std::string& forward,
                            const std::vector<std::pair<std::string, at::Tensor>>& parameters,
                            int side,
                            const std::vector<std::pair<std::string, at::Tensor>>& buffers = {}) {
  torch::jit::Module module(name);
  module.register_attribute("training", c10::BoolType::get(), false);
  for (const auto& [parameter, values] : parameters) {
    module.register_parameter(parameter, values.to(at::kFloat), false);
  }
  for (const auto& [buffer, values] : buffers) {
    module.register_buffer(buffer, values.to(at::kFloat));
  }
  module.define(forward);
  const std::string path = folder.file(fmt::format("{}.pt", name));
  module.save(path, {{"metadata.json",
                      fmt::format(R"({{"channels": 1, "input_size": [{}, {}]}})", side, side)}});
  RunContext context;
  auto model = loadModel(path, {}, context);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    return nullptr;
  }
  return *model;
}

/// Numbers in (-1, 1), the same on every machine.
inline at::Tensor spreadNumbers(std::vector<std::int64_t> shape, double phase) {
  const std::int64_t count = c10::multiply_integers(shape);
  return at::sin(at::arange(count, at::kDouble) * 12.9898 + phase).view(shape);
}

}  // namespace dubito::test
