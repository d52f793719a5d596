// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/panels/words.h"

namespace dubito {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("words", text);
}

}  // namespace

QString measureName(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr("confidence");
    case Measure::kMargin:
      return tr("margin");
    case Measure::kEntropy:
      return tr("entropy");
    case Measure::kExpectedEntropy:
      return tr("expected entropy");
    case Measure::kMutualInformation:
      return tr("mutual information");
    case Measure::kVariationRatio:
      return tr("variation ratio");
    case Measure::kVariance:
      return tr("variance");
    case Measure::kBridgeGauge:
      return tr("error of the bridge");
    case Measure::kProbitGauge:
      return tr("error of probit");
    case Measure::kDivergenceGauge:
      return tr("divergence of the bridge");
  }
  return {};
}

QString measureSymbol(Measure measure) {
  switch (measure) {
    case Measure::kEntropy:
      return tr("entropy H");
    case Measure::kExpectedEntropy:
      return tr("aleatoric E[H]");
    case Measure::kMutualInformation:
      return tr("epistemic MI");
    case Measure::kBridgeGauge:
      return tr("bridge error");
    case Measure::kProbitGauge:
      return tr("probit error");
    case Measure::kDivergenceGauge:
      return tr("bridge KL");
    default:
      return measureName(measure);
  }
}

QString measureUnit(Measure measure) {
  switch (measure) {
    case Measure::kEntropy:
    case Measure::kExpectedEntropy:
    case Measure::kMutualInformation:
    case Measure::kDivergenceGauge:
      return tr("nats");
    default:
      return {};
  }
}

QString measureFormula(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr("largest mean probability");
    case Measure::kMargin:
      return tr("largest minus second largest mean probability");
    case Measure::kEntropy:
      return tr("entropy H of the mean probabilities: the total uncertainty");
    case Measure::kExpectedEntropy:
      return tr("mean entropy E[H] of the draws: the aleatoric part");
    case Measure::kMutualInformation:
      return tr("H − E[H]: what the draws disagree about, the epistemic part");
    case Measure::kVariationRatio:
      return tr("share of draws that do not predict the modal class");
    case Measure::kVariance:
      return tr("sum over the classes of the variance over the draws");
    case Measure::kBridgeGauge:
      return tr("largest |p(bridge) − p(draws)| of a class, from the same Gaussian over logits");
    case Measure::kProbitGauge:
      return tr("largest |p(probit) − p(draws)| of a class, from the same Gaussian over logits");
    case Measure::kDivergenceGauge:
      return tr("KL divergence of the bridge's Dirichlet from the density of softmax(z)");
  }
  return {};
}

QString measureMeaning(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr(
          "The probability that the network gives to its own prediction, averaged over the draws "
          "if there are any. A calibrated network is right as often as its confidence says. Many "
          "networks are more confident than they are right.");
    case Measure::kMargin:
      return tr(
          "How far the prediction leads over the second most probable class. Near 0 the network "
          "wavers between two classes, however improbable the others are.");
    case Measure::kEntropy:
      return tr(
          "How spread out the mean probabilities are: 0 if one class has all of it, ln K if all "
          "classes are equally probable. It is the total uncertainty, whether the item is "
          "ambiguous or the network lacks knowledge.");
    case Measure::kExpectedEntropy:
      return tr(
          "The entropy of every draw, averaged: what stays uncertain even for a single network of "
          "the posterior. This is the aleatoric part, the ambiguity of the item itself, which more "
          "training data would not remove.");
    case Measure::kMutualInformation:
      return tr(
          "How much the draws disagree: 0 if all give the same probabilities, however spread out "
          "these are. This is the epistemic part, what the network could still learn; it is high "
          "for images unlike those it was trained on.");
    case Measure::kVariationRatio:
      return tr(
          "How many draws vote for another class than the most frequent one. It looks at the "
          "predicted classes alone: 0 if every draw predicts the same class, however hesitantly.");
    case Measure::kVariance:
      return tr(
          "How far the probability of each class scatters over the draws, summed over the classes. "
          "Like the mutual information it shows disagreement, but it hardly notices changes of "
          "small probabilities.");
    case Measure::kBridgeGauge:
      return tr(
          "Honesty gauge: how far the probabilities of the Laplace bridge lie from the average "
          "over draws of the same Gaussian, which they stand for. 0: exact; 0.01: some probability "
          "is wrong by 0.01.");
    case Measure::kProbitGauge:
      return tr(
          "Honesty gauge: how far the probabilities of the probit approximation lie from the "
          "average over draws of the same Gaussian, which they stand for. 0: exact; 0.01: some "
          "probability is wrong by 0.01.");
    case Measure::kDivergenceGauge:
      return tr(
          "Honesty gauge: what is lost if Dir(α) is taken for the distribution of the "
          "probabilities. 0 means that they are the same; the shape counts, not only the mean. It "
          "is computed for three classes.");
  }
  return {};
}

QString measureEquation(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr("conf = maxₖ p̄(k), p̄ = (1/T) Σₜ pₜ");
    case Measure::kMargin:
      return tr("margin = p̄₍₁₎ − p̄₍₂₎, p̄₍₁₎ ≥ p̄₍₂₎ ≥ … the sorted mean probabilities");
    case Measure::kEntropy:
      return tr("H[p̄] = −Σₖ p̄(k) ln p̄(k)");
    case Measure::kExpectedEntropy:
      return tr("E[H] = (1/T) Σₜ H[pₜ]");
    case Measure::kMutualInformation:
      return tr("MI = H[p̄] − (1/T) Σₜ H[pₜ]");
    case Measure::kVariationRatio:
      return tr("VR = 1 − (votes of the modal class)/T");
    case Measure::kVariance:
      return tr("V = Σₖ (1/T) Σₜ (pₜ(k) − p̄(k))²");
    case Measure::kBridgeGauge:
      return tr("maxₖ |α(k)/α₀ − mean of softmax(z)(k)|, z ~ N(μ, Σ)");
    case Measure::kProbitGauge:
      return tr("maxₖ |softmax(μ/√(1 + π/8 diag Σ))(k) − mean of softmax(z)(k)|, z ~ N(μ, Σ)");
    case Measure::kDivergenceGauge:
      return tr("KL(q‖Dir(α)) = ∫ q ln(q/Dir(α)), q the density of softmax(z), z ~ N(μ, Σ)");
  }
  return {};
}

QString measureRange(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr("1/K to 1");
    case Measure::kMargin:
    case Measure::kBridgeGauge:
    case Measure::kProbitGauge:
      return tr("0 to 1");
    case Measure::kEntropy:
      return tr("0 to ln K, nats");
    case Measure::kExpectedEntropy:
    case Measure::kMutualInformation:
      return tr("0 to H, nats");
    case Measure::kVariationRatio:
    case Measure::kVariance:
      return tr("0 to 1 − 1/K");
    case Measure::kDivergenceGauge:
      return tr("0 to infinity, nats");
  }
  return {};
}

QString measureDirection(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
    case Measure::kMargin:
      return tr("higher: more certain");
    case Measure::kEntropy:
    case Measure::kExpectedEntropy:
    case Measure::kMutualInformation:
    case Measure::kVariationRatio:
    case Measure::kVariance:
      return tr("higher: more uncertain");
    case Measure::kBridgeGauge:
    case Measure::kProbitGauge:
    case Measure::kDivergenceGauge:
      return tr("higher: the approximation is worse");
  }
  return {};
}

QString measureSource(Measure measure) {
  switch (measure) {
    case Measure::kConfidence:
      return tr("Feng (thesis), eq. 4.1");
    case Measure::kMargin:
      return tr("Scheffer, Decomain and Wrobel 2001");
    case Measure::kEntropy:
      return tr("Feng (thesis), eq. 4.2; Gal 2019 (lectures)");
    case Measure::kExpectedEntropy:
      return tr("Gal 2019 (lectures); of a Dirichlet in closed form");
    case Measure::kMutualInformation:
      return tr("Feng (thesis), eq. 4.3 (BALD); Gal 2019 (lectures)");
    case Measure::kVariationRatio:
      return tr("Freeman 1965; Gal 2019 (lectures)");
    case Measure::kVariance:
      return tr("Smith and Gal 2018, there the mean over the classes");
    case Measure::kBridgeGauge:
    case Measure::kDivergenceGauge:
      return tr("bridge: Hobbhahn (thesis), eq. 2.7");
    case Measure::kProbitGauge:
      return tr("probit: MacKay 1992; Hobbhahn (thesis), 3");
  }
  return {};
}

}  // namespace dubito
