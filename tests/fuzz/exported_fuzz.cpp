// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of torch.export: each becomes a checked graph or one exception of those that the reader
// turns into an error. The archive around them is left out, because a fuzzer does not guess
// checksums and the code behind them would stay untouched.
#include <ATen/Functions.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

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

/// All values of a document, in the order of the text.
std::vector<nlohmann::json*> valuesOf(nlohmann::json& document) {
  std::vector<nlohmann::json*> values{&document};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->is_structured()) {
      for (nlohmann::json& inner : *values[i]) {
        values.push_back(&inner);
      }
    }
  }
  return values;
}

/// What a reader that trusts a number, a text or a list falls over.
nlohmann::json surprise(std::minstd_rand& random) {
  static const std::vector<nlohmann::json> surprises{nullptr,
                                                     true,
                                                     0,
                                                     -1,
                                                     1,
                                                     7,
                                                     std::int64_t{1} << 31,
                                                     std::int64_t{1} << 62,
                                                     std::numeric_limits<std::int64_t>::min(),
                                                     std::numeric_limits<std::uint64_t>::max(),
                                                     0.5,
                                                     -1e300,
                                                     "",
                                                     "Infinity",
                                                     "aten::dropout",
                                                     "../../etc/passwd",
                                                     nlohmann::json::array(),
                                                     nlohmann::json::object()};
  return surprises[random() % surprises.size()];
}

/// Changes one place: removes, repeats or replaces what stands there.
void changeOnePlace(nlohmann::json& document, std::minstd_rand& random) {
  const std::vector<nlohmann::json*> values = valuesOf(document);
  nlohmann::json& place = *values[random() % values.size()];
  switch (random() % 4) {
    case 0:
      place = surprise(random);
      break;
    case 1: {
      // A copy, because the other value may contain this one.
      const nlohmann::json other = *values[random() % values.size()];
      place = other;
      break;
    }
    case 2:
      if (place.is_structured() && !place.empty()) {
        place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(random() % place.size())));
      }
      break;
    default:
      if (place.is_array() && !place.empty()) {
        const nlohmann::json repeated = place[random() % place.size()];
        place.push_back(repeated);
      }
      break;
  }
}

}  // namespace

/// Changes the document instead of its bytes: of these, most changes only break the JSON.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  nlohmann::json document = nlohmann::json::parse(data, data + size, nullptr, false);
  std::minstd_rand random(seed);
  if (!document.is_structured()) {
    document = nlohmann::json::object();
  }
  const std::size_t places = 1 + random() % 4;
  for (std::size_t i = 0; i < places; ++i) {
    changeOnePlace(document, random);
  }
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > max_size) {
    return size;
  }
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

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
