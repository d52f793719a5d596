// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of torch.export: each becomes a checked graph or one exception of those that the reader
// turns into an error. The archive around them is left out, because a fuzzer does not guess
// checksums and the code behind them would stay untouched.
#include <ATen/Functions.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/models/exported/exported_network_torch.h"
#include "tests/fuzz/expect.h"

namespace {

/// Weights of the names in the corpus.
const std::map<std::string, at::Tensor>& weights() {
  static const std::map<std::string, at::Tensor> tensors = [] {
    std::map<std::string, at::Tensor> made;
    for (const char* const layer : {"head", "aux", "first", "second", "fc1", "fc2", "norm",
                                    "groups", "features.0", "features.1"}) {
      made[std::string(layer) + ".weight"] = at::ones({6, 6});
      made[std::string(layer) + ".bias"] = at::ones({6});
      made[std::string(layer) + ".running_mean"] = at::zeros({6});
      made[std::string(layer) + ".running_var"] = at::ones({6});
      made[std::string(layer) + ".num_batches_tracked"] = at::zeros({}, at::kLong);
    }
    made["shift"] = at::ones({6});
    made["rows"] = at::ones({5, 6});
    made["lifted_tensor_0"] = at::ones({3});
    return made;
  }();
  return tensors;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const nlohmann::json program =
      nlohmann::json::parse(data, data + size, nullptr, /*allow_exceptions=*/false);
  try {
    const ExportedNetwork network = translateProgram(program, weights());
    const auto forward = network.module.find_method("forward");
    fuzz::expect(forward.has_value(), "a translated program has a forward");
    fuzz::expect(forward->graph()->outputs().size() == 1, "it returns one value");
  } catch (const std::exception& exception) {
    fuzz::expect(exception.what() != nullptr, "an exception has a reason");
  }
  return 0;
}
