// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_methods.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/find_by_key.h"

namespace dubito {
namespace {

/// For all sets: dropout_rates.txt of the code that uci_sets.cpp names.
constexpr double kDropRates[] = {0.005, 0.01, 0.05, 0.1};

std::vector<UciChoice> ratesAndTaus(const UciSetInfo& set) {
  std::vector<UciChoice> choices;
  for (const double rate : kDropRates) {
    for (const double tau : set.taus) {
      choices.push_back({{"drop_rate", rate}, {"tau", tau}});
    }
  }
  return choices;
}

std::vector<UciChoice> taus(const UciSetInfo& set) {
  std::vector<UciChoice> choices;
  for (const double tau : set.taus) {
    choices.push_back({{"tau", tau}});
  }
  return choices;
}

/// 1x, 4x and 10x: longer, the learned noise is fitted to the noise of the training items.
std::vector<UciChoice> numbersOfEpochs(const UciSetInfo& set) {
  std::vector<UciChoice> choices;
  for (const std::int64_t factor : {1, 4, 10}) {
    choices.push_back({{"epochs", static_cast<double>(factor * set.epochs)}});
  }
  return choices;
}

}  // namespace

double chosenValue(const UciChoice& choice, std::string_view name) {
  const auto found =
      std::ranges::find_if(choice, [name](const auto& value) { return value.first == name; });
  if (found == choice.end()) {
    throw std::out_of_range("chosenValue: no such value");
  }
  return found->second;
}

const std::vector<UciMethodInfo>& uciMethods() {
  static const std::vector<UciMethodInfo> all{
      {"mc-dropout-1x",
       "MC dropout, 1x",
       "The published method with the 40 epochs (protein 20) of its timed setting; drop rate and "
       "noise precision are chosen on a fifth of the training items.",
       1,
       ratesAndTaus,
       evaluateMcDropout,
       {}},
      {"mc-dropout-10x",
       "MC dropout, 10x",
       "The same with 400 epochs (protein 200), as in the released script of the first table.",
       10,
       ratesAndTaus,
       evaluateMcDropout,
       {"dropout-2016"}},
      {"mc-dropout-100x",
       "MC dropout, 100x",
       "The same with 4000 epochs (protein 2000), as in the released scripts and logs of the later "
       "tables.",
       100,
       ratesAndTaus,
       evaluateMcDropout,
       {"dropout-2018"}},
      {"concrete",
       "Concrete dropout",
       "The drop rate of the hidden units is trained with the weights; 10x epochs.",
       10,
       taus,
       evaluateConcreteDropout,
       {}},
      {"ensemble",
       "Deep ensemble",
       "Five networks that also learn the variance of the noise; the number of epochs is chosen.",
       1,
       numbersOfEpochs,
       evaluateEnsemble,
       {"ensemble-2017"}},
      {"bbb",
       "Bayes by Backprop",
       "Independent Gaussian weights, fitted by gradients through their draws; 10x epochs.",
       10,
       taus,
       evaluateBayesByBackprop,
       {}},
      {"laplace",
       "Last-layer Laplace",
       "A Gaussian over the weights of the last layer of one trained network; 10x epochs.",
       10,
       taus,
       evaluateLastLayerLaplace,
       {}}};
  return all;
}

const UciMethodInfo* findUciMethod(std::string_view key) {
  return findByKey(uciMethods(), key);
}

}  // namespace dubito
