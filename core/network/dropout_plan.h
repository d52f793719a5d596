// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/methods/mc_dropout/mc_dropout_options.h"
#include "core/models/model.h"

namespace dubito {

/// Which sites drop units, and at which rates.
struct DropoutPlan {
  std::vector<std::int64_t> sites;       ///< site numbers, ascending
  std::optional<double> drop_rate;       ///< common rate; empty: each site's own
  std::optional<std::int64_t> inserted;  ///< number of the site inserted before the head
  double insert_rate = 0.0;
  bool shared_masks = false;
  std::vector<std::string> notes;
};

/// Resolves the options for this model. Errors, with the cause, if a chosen site does not exist or
/// cannot be used, if there is no site, or if all rates are 0, so that all draws would be
/// identical.
[[nodiscard]] Expected<DropoutPlan> planDropout(const Model& model,
                                                const McDropoutOptions& options);

}  // namespace dubito
