// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_methods.h"

#include "core/base/find_by_key.h"
#include "core/labs/gaussian/blr_method.h"
#include "core/labs/gaussian/gp_method.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/posterior/posterior_methods.h"

namespace dubito {

const std::vector<RegressionMethodInfo>& regressionMethods() {
  static const std::vector<RegressionMethodInfo> methods{gpMethod(),
                                                         blrMethod(),
                                                         mleNetworkMethod(),
                                                         deepEnsembleMethod(),
                                                         mcDropoutMethod(),
                                                         concreteDropoutMethod(),
                                                         heteroscedasticMethod(),
                                                         networkLaplaceMethod(),
                                                         swagMethod(),
                                                         hmcMethod(),
                                                         metropolisMethod(),
                                                         sgldMethod(),
                                                         bayesByBackpropMethod(),
                                                         gravesMethod()};
  return methods;
}

const RegressionMethodInfo* findRegressionMethod(std::string_view key) {
  return findByKey(regressionMethods(), key);
}

}  // namespace dubito
