// SPDX-License-Identifier: GPL-3.0-or-later
// idx files, gzip or not: an array whose shape covers its elements, or one error.
#include "core/data/sources/idx_file.h"
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
  // The smallest element has one byte: packed files hold at most 1040 times their size.
  const Array<double> values = toDouble(*array);
  fuzz::expect(values.size() > 0, "a file without items is refused");
  fuzz::expect(static_cast<std::size_t>(values.size()) <= 1040 * size,
               "elements come from the file");
  return 0;
}
