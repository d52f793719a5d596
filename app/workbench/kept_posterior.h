// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/workbench/compute_request.h"

namespace dubito {

/// Cache file of a fitted Laplace posterior. If a computation fails or is cancelled after the fit,
/// the file is kept, so that the next attempt need not repeat the fit. There is one file per
/// network, preprocessing, training set, fit settings and seed.
class KeptPosterior {
 public:
  /// Determines the file for `request`. There is none if the request fits no posterior or already
  /// names a file for its posterior.
  KeptPosterior(const ComputeRequest& request, std::uint64_t seed);

  /// Path of the file; empty if there is none.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool exists() const;

  /// When and by whom the file is written.
  enum class Writing {
    /// By computeAnalysis, only if a step after the fit fails (MethodData::rescue_path).
    kOnFailure,
    /// By another process, right after the fit (MethodData::posterior_path).
    kAfterTheFit
  };
  struct Result {
    Expected<AnalysisPtr> analysis;
    bool reused = false;  ///< the posterior was read from the file, not fitted
  };
  /// Calls `compute` with a copy of `request` that reads the file if it exists, or else writes it.
  /// If the file is rejected (for example, because the training set has changed), removes it and
  /// calls `compute` again to fit the posterior. Removes the file on success. Blocking.
  [[nodiscard]] Result compute(
      const ComputeRequest& request, Writing writing,
      const std::function<Expected<AnalysisPtr>(const ComputeRequest&)>& compute) const;

 private:
  void remove() const;

  std::string file_;
};

}  // namespace dubito
