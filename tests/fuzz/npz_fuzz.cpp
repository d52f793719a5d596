// SPDX-License-Identifier: GPL-3.0-or-later
// npz archives: every entry is an array, a text or one error. Checksums are not verified here,
// because a fuzzer does not guess them and the code behind them would stay untouched.
#include "core/io/npz_file.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, ".npz");
  NpzLimits limits;
  limits.max_verified_bytes = 0;
  limits.max_entry_bytes = std::uint64_t{64} << 20;
  const auto npz = NpzFile::open(path, limits);
  if (!npz) {
    fuzz::expectReadable(npz.error(), path);
    return 0;
  }
  for (const std::string& name : npz->names()) {
    fuzz::expect(npz->contains(name), "a listed name is contained");
    const auto array = npz->read(name);
    if (array) {
      fuzz::expect(toDouble(*array).size() >= 0, "every element can be read");
    } else {
      fuzz::expectReadable(array.error(), path);
    }
    const auto text = npz->readText(name);
    if (!text) {
      fuzz::expectReadable(text.error(), path);
    }
  }
  return 0;
}
