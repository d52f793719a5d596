// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// A posterior with its origin, as stored in a file.
struct SavedPosterior {
  static constexpr int kVersion = 2;
  LaplacePosterior posterior;
  PosteriorOrigin origin;
};

/// Writes a posterior as .npz; the file appears only when complete. Fails with kWriteFailed or
/// kCancelled.
[[nodiscard]] Status writePosterior(const LaplacePosterior& posterior,
                                    const PosteriorOrigin& origin, const std::string& path,
                                    RunContext& context);

/// Reads a posterior of any version up to kVersion. Fails with kMalformed if it is inconsistent, or
/// kUnsupported if its version is newer.
[[nodiscard]] Expected<SavedPosterior> readPosterior(const std::string& path);

/// Fails with kInvalidArgument, stating the difference, if the posterior in the file `path` was not
/// fitted to `wanted`. An empty dataset_hash in `wanted` matches any items.
[[nodiscard]] Status checkOrigin(const std::string& path, const PosteriorOrigin& saved,
                                 const PosteriorOrigin& wanted);

/// Fails with kInvalidArgument, stating the difference, if the structure or the layers of the
/// posterior in the file `path` differ from `settings`.
[[nodiscard]] Status checkSettings(const std::string& path, const LaplacePosterior& saved,
                                   const LaplaceSettings& settings);

/// Path of the posterior file of the run in the file `run_path`: RUN.posterior.npz for RUN.npz.
[[nodiscard]] std::string posteriorPathFor(const std::string& run_path);

}  // namespace dubito
