// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/kernels/cuda_library.h"
#include "tests/core/kernels/cuda_test.h"
#include "tests/core/kernels/summary_on_device.h"

namespace dubito {
namespace {

class PredictiveSummaryCuda : public test::CudaTest {};

PredictiveSummary onGpu(const Array<float>& logits, Array<float>* draw_probs) {
  const std::int64_t size = logits.extent(1) * logits.extent(2);
  const at::Tensor on_gpu =
      at::from_blob(const_cast<float*>(logits.data()), {logits.size()}, at::kFloat)
          .to(at::Device(at::kCUDA, 0));
  std::vector<const float*> draws;
  std::vector<float*> probs;
  *draw_probs = Array<float>::zeros(logits.shape());
  for (std::int64_t t = 0; t < logits.extent(0); ++t) {
    draws.push_back(on_gpu.const_data_ptr<float>() + t * size);
    probs.push_back(draw_probs->mutableData() + t * size);
  }
  return summariseLogits(
      {.draws = draws, .items = logits.extent(1), .classes = logits.extent(2), .cuda_device = 0},
      probs, RunContext());
}

TEST_F(PredictiveSummaryCuda, AllShapesEqualTheProcessor) {
  test::expectSameSummaryForAllShapes(onGpu);
}

TEST_F(PredictiveSummaryCuda, FewClassesEqualTheProcessor) {
  test::expectSameSummaryForFewClasses(onGpu);
}

TEST_F(PredictiveSummaryCuda, ExtremesEqualTheProcessor) {
  test::expectSameSummaryOfExtremes(onGpu);
}

}  // namespace
}  // namespace dubito
