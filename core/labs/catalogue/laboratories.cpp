// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/catalogue/laboratories.h"

namespace dubito {

const std::vector<LaboratoryInfo>& laboratories() {
  static const std::vector<LaboratoryInfo> all{
      {Laboratory::kRegression, "regression", "Regression",
       "A curve through points, by many methods at once. The dark band is what the method does not "
       "know about the curve; the light band adds the noise of the data.",
       "9-small-bayesian-models"},
      {Laboratory::kSampler, "sampler", "Samplers",
       "Markov chains that draw from a density in two dimensions, step by step. Turn the step size "
       "until the sampler fails, and see which numbers notice it.",
       "9-small-bayesian-models"},
      {Laboratory::kSimplex, "simplex", "The simplex",
       "A Gaussian over the logits of three classes, the distribution of the probabilities that it "
       "implies, and the Dirichlets that replace it without a single sample. Move the sliders or "
       "drag the ellipse.",
       "6-laplace-bridge"},
      {Laboratory::kSamples, "samples", "What a bridge is worth",
       "How many samples are needed to know the probabilities as well as a closed form does. Where "
       "the curve of the samples crosses the level of a bridge, both are equally near to the "
       "truth.",
       "6-laplace-bridge"},
      {Laboratory::kUci, "uci", "UCI table",
       "Methods compared as in the literature: nine sets of data, the published splits, and our "
       "numbers beside the published ones. Computing the table takes hours; this page shows "
       "finished results.",
       "9-small-bayesian-models"}};
  return all;
}

}  // namespace dubito
