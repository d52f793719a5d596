// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/run_dirichlets.h"

#include <fmt/format.h>

#include <utility>

#include "core/measures/moment_match.h"

namespace dubito {

const std::vector<std::string>& RunDirichlets::sources() {
  static const std::vector<std::string> names = {"auto", "run", "moments"};
  return names;
}

Expected<RunDirichlets> RunDirichlets::of(const Run& run, const std::string& name,
                                          const std::string& source) {
  const bool stored = run.alpha.has_value();
  const bool drawn = run.drawCount() > 1;
  const std::string found = source == "auto" ? (stored ? "run" : "moments") : source;
  if (run.classCount() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no probabilities for two or more classes; use a run of "
                            "laplace, mc-dropout or an ensemble",
                            name));
  }
  if (found == "run" && !stored) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: stores no Dirichlets; predict with laplace and a link bridge-..., "
                            "or use the moments of a run that has draws",
                            name),
                {setting("method", "laplace"), setting("link", "bridge-..."),
                 setting("source", "moments")});
  }
  if (found == "moments" && !drawn) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: has fewer than two stored draws, so moments cannot be matched; predict "
                    "with mc-dropout or an ensemble, with enough room for the stored draws, or "
                    "with laplace and a link bridge-...",
                    name),
        {setting("keep_samples_mb"), setting("method", "laplace"), setting("link", "bridge-...")});
  }
  return RunDirichlets(run, found);
}

std::string RunDirichlets::describe() const {
  return source_ == "run" ? fmt::format("alpha of {}", run_->meta.method)
                          : fmt::format("moments of {} draws", run_->drawCount());
}

std::vector<double> RunDirichlets::alpha(std::int64_t i) const {
  if (source_ == "run") {
    const std::span<const double> row = run_->alpha->row(i);
    return {row.begin(), row.end()};
  }
  const Array<float>& samples = *run_->samples;
  const std::int64_t draws = samples.extent(0);
  const std::int64_t classes = samples.extent(2);
  const auto drawOf = [&](std::int64_t t) {
    return samples.data() + (t * samples.extent(1) + i) * classes;
  };
  std::vector<double> mean(static_cast<std::size_t>(classes));
  std::vector<double> variance(mean.size());
  for (std::int64_t t = 0; t < draws; ++t) {
    for (std::size_t k = 0; k < mean.size(); ++k) {
      mean[k] += double{drawOf(t)[k]};
    }
  }
  // One division leaves the mean of equal draws exactly what they are.
  for (double& m : mean) {
    m /= static_cast<double>(draws);
  }
  for (std::int64_t t = 0; t < draws; ++t) {
    for (std::size_t k = 0; k < mean.size(); ++k) {
      const double from_mean = double{drawOf(t)[k]} - mean[k];
      variance[k] += from_mean * from_mean / static_cast<double>(draws);
    }
  }
  return momentMatchedAlpha(mean, variance);
}

}  // namespace dubito
