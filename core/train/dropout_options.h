// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito {

/// The dropout of a network that is trained: options that whole networks and heads share.
struct DropoutOptions {
  std::string& dropout;              ///< one of dropoutKinds()
  std::optional<double>& drop_rate;  ///< of fixed dropout, or where learned rates begin
  double& length_scale;              ///< see LearnedDropout

  [[nodiscard]] std::vector<Field> fields() const;
};

}  // namespace dubito
