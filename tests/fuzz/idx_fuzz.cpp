// SPDX-License-Identifier: GPL-3.0-or-later
// idx files, gzip or not: an array whose shape covers its elements, or one error.
#include "core/data/idx_file.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, "-idx3-ubyte");
  RunContext context;
  const auto array = readIdx(path, context);
  if (!array) {
    fuzz::expectReadable(array.error(), path);
    return 0;
  }
  std::int64_t elements = 1;
  for (const std::int64_t extent : array->shape()) {
    elements *= extent;
  }
  fuzz::expect(elements == array->size(), "the shape covers the elements");
  std::uint64_t sum = 0;
  for (const std::uint8_t value : array->values()) {
    sum += value;
  }
  fuzz::expect(sum <= 255U * static_cast<std::uint64_t>(elements), "every element can be read");
  return 0;
}
