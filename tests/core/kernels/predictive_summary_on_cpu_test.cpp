// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernel that summarises draws, run by cuda_on_cpu, against the processor's.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/core/kernels/summary_on_device.h"

namespace dubito {
namespace {

/// The device is the processor, so that its memory is the host's.
PredictiveSummary onDevice(const Array<float>& logits, Array<float>* draw_probs) {
  std::vector<const float*> draws;
  std::vector<float*> probs;
  *draw_probs = Array<float>::zeros(logits.shape());
  const std::int64_t size = logits.extent(1) * logits.extent(2);
  for (std::int64_t t = 0; t < logits.extent(0); ++t) {
    draws.push_back(logits.data() + t * size);
    probs.push_back(draw_probs->mutableData() + t * size);
  }
  return summariseLogits(
      {.draws = draws, .items = logits.extent(1), .classes = logits.extent(2), .cuda_device = 0},
      probs, RunContext());
}

TEST(PredictiveSummaryOnCpu, AllShapesEqualTheProcessor) {
  test::expectSameSummaryForAllShapes(onDevice);
}

TEST(PredictiveSummaryOnCpu, FewClassesEqualTheProcessor) {
  test::expectSameSummaryForFewClasses(onDevice);
}

TEST(PredictiveSummaryOnCpu, ExtremesEqualTheProcessor) {
  test::expectSameSummaryOfExtremes(onDevice);
}

}  // namespace
}  // namespace dubito
