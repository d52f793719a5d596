// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/session/compute_request.h"

namespace dubito {

/// A fitted Laplace posterior in the user's cache, kept when a computation fails or is cancelled
/// after the fit. One file per network, preprocessing, training set, fit settings and seed.
class KeptPosterior {
 public:
  /// For `request`; none if it fits no posterior or names a file for it.
  KeptPosterior(const ComputeRequest& request, std::uint64_t seed);

  /// Empty if none.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool exists() const;

  /// Who writes the file.
  enum class Writing {
    kOnFailure,   ///< by computeAnalysis, if a step after the fit fails (MethodData::rescue_path)
    kAfterTheFit  ///< by another process (MethodData::posterior_path)
  };
  struct Result {
    Expected<AnalysisPtr> analysis;
    bool reused = false;  ///< nothing was fitted
  };
  /// Calls `compute` with `request` changed to read or write the file. If the file does not match
  /// (the training set has changed), it is removed and the posterior is fitted again. Removes the
  /// file on success. Blocking.
  [[nodiscard]] Result compute(
      const ComputeRequest& request, Writing writing,
      const std::function<Expected<AnalysisPtr>(const ComputeRequest&)>& compute) const;

 private:
  void remove() const;

  std::string file_;
};

}  // namespace dubito
