// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/session/compute_request.h"

namespace dubito {

/// A fitted Laplace posterior in the user's cache, where it outlives a computation that failed or
/// was cancelled after the fit. There is one file for each network with its preprocessing, training
/// set, settings of the fit and seed.
class KeptPosterior {
 public:
  /// That of `request`; a request that fits no posterior, or names a file for it, has none.
  KeptPosterior(const ComputeRequest& request, std::uint64_t seed);

  /// Empty: there is none.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool exists() const;

  /// How the posterior gets into the file.
  enum class Writing {
    kOnFailure,   ///< by computeAnalysis, if a step after the fit fails (MethodData::rescue_path)
    kAfterTheFit  ///< by another process (MethodData::posterior_path)
  };
  struct Result {
    Expected<AnalysisPtr> analysis;
    bool reused = false;  ///< nothing was fitted
  };
  /// Calls `compute` with `request` changed so that it reads the file, or writes it. A file that
  /// does not suit (the training set has changed) is removed and the posterior fitted anew. The
  /// file goes when the analysis is there. Blocking.
  [[nodiscard]] Result compute(
      const ComputeRequest& request, Writing writing,
      const std::function<Expected<AnalysisPtr>(const ComputeRequest&)>& compute) const;

 private:
  void remove() const;

  std::string file_;
};

}  // namespace dubito
