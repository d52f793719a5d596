// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/data/sources/numbered_dataset.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito::test {

/// Pictures, one of which cannot be read.
class DamagedPictures : public NumberedDataset {
 public:
  static constexpr std::int64_t kUnreadable = 7;

  explicit DamagedPictures(std::vector<std::int64_t> labels)
      : NumberedDataset({}, std::move(labels)) {
    mutableInfo().name = "damaged insects";
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    if (index == kUnreadable) {
      return fail(ErrorCode::kReadFailed, "a damaged file");
    }
    return Sample(Image8{Array<std::uint8_t>::zeros({8, 8, 1})});
  }
};

/// The labelled part of sampleAnalysis() over DamagedPictures.
inline AnalysisPtr damagedAnalysis() {
  RunContext context;
  const std::shared_ptr<const dubito::Run> run = sampleAnalysis()->in().run;
  std::vector<std::int64_t> labels(run->labels.data(), run->labels.data() + run->itemCount());
  std::vector<AnalysisPart> parts = {makePart(
      "damaged insects", run, std::make_shared<DamagedPictures>(std::move(labels)), context)};
  return *analyse(std::move(parts), nullptr, std::nullopt, EvaluationOptions{}, context);
}

}  // namespace dubito::test
