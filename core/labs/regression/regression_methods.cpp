// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_methods.h"

#include <algorithm>

namespace dubito {

const std::vector<RegressionMethodInfo>& regressionMethods() {
  static const std::vector<RegressionMethodInfo> methods{};
  return methods;
}

const RegressionMethodInfo* findRegressionMethod(std::string_view key) {
  const auto& all = regressionMethods();
  const auto found = std::ranges::find(all, key, &RegressionMethodInfo::key);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace dubito
