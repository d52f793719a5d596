// SPDX-License-Identifier: GPL-3.0-or-later
// A model's metadata: values that pass their own check, or one error.
#include "core/models/model_metadata.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto metadata = parseModelMetadata(text, "model.json");
  if (!metadata) {
    fuzz::expectReadable(metadata.error(), "model.json");
    return 0;
  }
  fuzz::expect(metadata->preprocessing.check().has_value(), "preprocessing that was read is sound");
  fuzz::expect(!metadata->preprocessing.describe().empty(), "preprocessing can be told");
  return 0;
}
