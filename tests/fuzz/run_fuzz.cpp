// SPDX-License-Identifier: GPL-3.0-or-later
// Run files and other npz predictions: a sound run, or one error.
#include "core/io/prediction_file.h"
#include "core/io/run_file.h"
#include "tests/fuzz/predictions.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, ".npz");
  RunContext context;
  if (const auto run = readRun(path, context)) {
    fuzz::expectSound(*run);
  } else {
    fuzz::expectReadable(run.error(), path);
  }
  if (const auto run = openPredictions(path, context)) {
    fuzz::expectSound(*run);
  } else {
    fuzz::expectReadable(run.error(), path);
  }
  return 0;
}
