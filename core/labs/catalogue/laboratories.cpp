// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/catalogue/laboratories.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/find_by_key.h"

namespace dubito {

const std::vector<LaboratoryInfo>& laboratories() {
  static const std::vector<LaboratoryInfo> all{
      {Laboratory::kRegressionMethods, "regression", "Regression", "Regression",
       "A curve through points, by many methods at once. The dark band is what the method does not "
       "know about the curve; the light band adds the noise of the data.",
       "9-small-bayesian-models"},
      {Laboratory::kClassificationMethods, "classification", "Classification", "Classification",
       "Points of several classes, and what each method believes far from them. Zoom out: a ReLU "
       "network is certain everywhere; most methods with a posterior (a distribution over "
       "networks) are not.",
       "9-small-bayesian-models"},
      {Laboratory::kSampler, "sampler", "Samplers", "Samplers",
       "Markov chains that draw from a density in two dimensions, step by step. Turn the step size "
       "until the sampler fails, and see which numbers notice it.",
       "9-small-bayesian-models"},
      {Laboratory::kSimplex, "simplex", "The simplex", "Simplex",
       "A Gaussian over the logits of three classes, the distribution of the probabilities that it "
       "implies, and the Dirichlets that replace it. A Dirichlet is a distribution over vectors of "
       "probabilities; a bridge is a formula for its α, without a single sample. Move the sliders, "
       "or drag the ellipse.",
       "6-laplace-bridge"},
      {Laboratory::kSamples, "samples", "What a bridge is worth", "Bridges",
       "A bridge is a formula that replaces a Gaussian over logits by a Dirichlet over "
       "probabilities. How many samples would be as good? If their curve crosses the level of a "
       "bridge, both are equally near to the truth.",
       "6-laplace-bridge"},
      {Laboratory::kDropoutRate, "dropout-rate", "Dropout rate", "Dropout rate",
       "How many units should dropout keep? The ELBO (a lower bound of the evidence: how well the "
       "model explains the data, less what it costs to describe) against p, the probability that a "
       "unit is kept, and runs that learn p. Some end at the maximum, some are trapped at 0 or 1.",
       "9-small-bayesian-models"},
      {Laboratory::kRotation, "rotation", "Rotated digit", "Rotation",
       "One image is turned step by step, and a network with dropout looks at each step many "
       "times. A large input of the softmax says nothing about confidence: the spread of the "
       "inputs decides how much the outputs spread.",
       "4-dropout-inference"},
      {Laboratory::kBandit, "bandit", "Bandits", "Bandits",
       "Agents see a context (a few numbers), choose one of several arms and learn what it pays; "
       "regret is what the best arm would have paid more. Who never tries what is uncertain gets "
       "stuck; who draws from a posterior (Thompson "
       "sampling) tries an arm as often as it may be the best one.",
       "9-small-bayesian-models"},
      {Laboratory::kReferral, "referral", "Referral", "Referral",
       "The model may refer an item to an expert when it is uncertain. A look of the expert costs "
       "something, and so does an error: how uncertain is too uncertain, and by which measure?",
       "3-evaluation-of-a-set"},
      {Laboratory::kUci, "uci", "UCI table", "UCI table",
       "Methods compared as in the literature: nine sets of data, the published splits, and our "
       "numbers next to the published ones. Computing the table takes hours; this page shows "
       "finished results.",
       "9-small-bayesian-models"}};
  return all;
}

const LaboratoryInfo& describe(Laboratory laboratory) {
  const auto found = std::ranges::find(laboratories(), laboratory, &LaboratoryInfo::id);
  if (found == laboratories().end()) {
    throw std::logic_error("describe: unknown laboratory");
  }
  return *found;
}

const LaboratoryInfo* findLaboratory(std::string_view key) {
  return findByKey(laboratories(), key);
}

}  // namespace dubito
