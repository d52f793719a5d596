// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How a Gaussian method determines the standard deviation of the noise.
struct NoiseRule {
  enum class Kind {
    kEvidence,  ///< maximise the evidence
    kShared,    ///< that of the problem, RegressionProblem::noise_std
    kValue,     ///< a given value
  };
  Kind kind = Kind::kEvidence;
  double value = 0.0;  ///< > 0 for kValue; unused otherwise

  /// The fixed standard deviation, or the start of the search.
  [[nodiscard]] double initial(double shared) const {
    return kind == Kind::kValue ? value : shared;
  }
};

/// Parses "auto", "shared" or a number in [1e-6, 1e6]; kInvalidArgument names noise_from.
[[nodiscard]] Expected<NoiseRule> parseNoiseRule(const std::string& text);

/// The description of an option with such a text.
[[nodiscard]] FieldInfo noiseFieldInfo();

}  // namespace dubito
