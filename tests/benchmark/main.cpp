// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/api/include/torch/version.h>

// Every name is "GROUP/ROLE/...": run_benchmarks.py divides the times of a group's roles.
int main(int argc, char** argv) {
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  benchmark::AddCustomContext("torch", TORCH_VERSION);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
