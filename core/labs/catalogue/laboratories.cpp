// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/catalogue/laboratories.h"

namespace dubito {

const std::vector<LaboratoryInfo>& laboratories() {
  static const std::vector<LaboratoryInfo> all{
      {Laboratory::kRegression, "regression", "Regression",
       "A curve through points, by many methods at once. The dark band is what the method does not "
       "know about the curve; the light band adds the noise of the data.",
       "9-small-bayesian-models"}};
  return all;
}

}  // namespace dubito
