// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// A posterior with its origin, as a file holds it.
struct SavedPosterior {
  static constexpr int kVersion = 2;
  LaplacePosterior posterior;
  PosteriorOrigin origin;
};

/// Writes a posterior as .npz; the file appears when it is complete. kWriteFailed, kCancelled.
[[nodiscard]] Status writePosterior(const LaplacePosterior& posterior,
                                    const PosteriorOrigin& origin, const std::string& path,
                                    RunContext& context);

/// Reads every version up to kVersion. kMalformed for what is no posterior or does not fit
/// together, kUnsupported for a newer version.
[[nodiscard]] Expected<SavedPosterior> readPosterior(const std::string& path);

/// kInvalidArgument, naming what differs, where the posterior in the file `path` was fitted to
/// something else than `wanted`; an empty dataset_hash there stands for any items.
[[nodiscard]] Status checkOrigin(const std::string& path, const PosteriorOrigin& saved,
                                 const PosteriorOrigin& wanted);

/// kInvalidArgument, naming what differs, where the posterior in the file `path` is of another
/// structure or of other layers than `settings` ask for.
[[nodiscard]] Status checkSettings(const std::string& path, const LaplacePosterior& saved,
                                   const LaplaceSettings& settings);

/// Where the posterior of a run that lies in the file `run_path` is kept: beside it.
[[nodiscard]] std::string posteriorFileOf(const std::string& run_path);

}  // namespace dubito
