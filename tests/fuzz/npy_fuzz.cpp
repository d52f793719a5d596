// SPDX-License-Identifier: GPL-3.0-or-later
// npy files: an array that can be read to its end, or one error; never an unpickled object.
#include "core/io/npy.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, ".npy");
  const auto array = readNpy(path);
  if (!array) {
    fuzz::expectReadable(array.error(), path);
    return 0;
  }
  const Array<double> values = toDouble(*array);
  // The smallest element has one byte, so that there cannot be more of them than bytes.
  fuzz::expect(static_cast<std::size_t>(values.size()) <= size, "elements come from the file");
  return 0;
}
