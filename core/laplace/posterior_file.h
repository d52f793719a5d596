// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/laplace/posterior.h"

namespace dubito {

/// What a posterior was fitted to. With another network, other inputs or other items it would be
/// wrong without looking so.
struct PosteriorOrigin {
  std::string network_hash;   ///< of program and weights, hexadecimal
  std::string preprocessing;  ///< Preprocessing::describe
  std::string dataset_name;
  std::string dataset_spec;
  std::string dataset_hash;             ///< ContentHash of the items fitted on
  Array<std::int64_t> ids = {};         ///< of those items
  std::vector<std::string> notes = {};  ///< of the fit
};

/// A posterior with its origin, as a file holds it.
struct SavedPosterior {
  static constexpr int kVersion = 2;
  LaplacePosterior posterior;
  PosteriorOrigin origin;
};

/// Writes a posterior as .npz; the file appears when it is complete.
[[nodiscard]] Status writePosterior(const SavedPosterior& saved, const std::string& path);

/// Reads every version up to kVersion. kMalformed for what is no posterior or does not fit
/// together, kUnsupported for a newer version.
[[nodiscard]] Expected<SavedPosterior> readPosterior(const std::string& path);

/// kInvalidArgument, naming what differs, where the posterior in the file `path` was fitted to
/// something else than `wanted`; an empty dataset_hash there stands for any items.
[[nodiscard]] Status checkOrigin(const std::string& path, const PosteriorOrigin& saved,
                                 const PosteriorOrigin& wanted);

}  // namespace dubito
