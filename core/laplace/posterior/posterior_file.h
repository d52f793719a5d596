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

/// Writes a posterior as .npz; the file appears only when complete. kWriteFailed, kCancelled.
[[nodiscard]] Status writePosterior(const LaplacePosterior& posterior,
                                    const PosteriorOrigin& origin, const std::string& path,
                                    RunContext& context);

/// Reads every version up to kVersion. kMalformed if it is not a consistent posterior, kUnsupported
/// for a newer version.
[[nodiscard]] Expected<SavedPosterior> readPosterior(const std::string& path);

/// kInvalidArgument, stating what differs, if the posterior in the file `path` was not fitted to
/// `wanted`; an empty dataset_hash in `wanted` matches any items.
[[nodiscard]] Status checkOrigin(const std::string& path, const PosteriorOrigin& saved,
                                 const PosteriorOrigin& wanted);

/// kInvalidArgument, stating what differs, if the posterior in the file `path` has another
/// structure or other layers than `settings`.
[[nodiscard]] Status checkSettings(const std::string& path, const LaplacePosterior& saved,
                                   const LaplaceSettings& settings);

/// Path of the posterior that belongs to the run in the file `run_path`: next to it.
[[nodiscard]] std::string posteriorPathFor(const std::string& run_path);

}  // namespace dubito
