// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/metrics/metric_info.h"

namespace dubito::metric_texts {

// Metrics of a set's predictions and their calibration, quantities of Dirichlets and of the fit of
// a Laplace approximation.

inline constexpr MetricInfo kAccuracy{
    .key = "accuracy",
    .subject = MetricSubject::kPrediction,
    .name = "accuracy",
    .symbol = "accuracy",
    .summary = "share of right predictions",
    .meaning =
        "How often the most probable class is the true one, over the items with a label. It says "
        "nothing of how confident the network was.",
    .formula = "accuracy = (1/n) Σᵢ [ŷᵢ = yᵢ]",
    .range = "0 to 1, shown in per cent",
    .source = "Feng (thesis), 4.1.3",
    .is_fraction = true,
    .high_is_good = true};

inline constexpr MetricInfo kNll{
    .key = "nll",
    .subject = MetricSubject::kPrediction,
    .name = "negative log-likelihood",
    .symbol = "NLL",
    .summary = "mean negative log probability of the true class, nats",
    .meaning =
        "How improbable the network held the true classes: 0 if it gave each probability 1. It "
        "judges accuracy and calibration at once, and one confident mistake can outweigh many good "
        "predictions. Computed from logits where the run has them, else from probabilities that "
        "are not below the smallest number of their type.",
    .formula = "NLL = −(1/n) Σᵢ ln pᵢ(yᵢ)",
    .range = "0 to infinity, nats; guessing among K classes gives ln K",
    .source = "Feng (thesis), eq. 4.7",
    .is_fraction = false,
    .high_is_good = false};

inline constexpr MetricInfo kBrier{
    .key = "brier",
    .subject = MetricSubject::kPrediction,
    .name = "Brier score",
    .symbol = "Brier",
    .summary = "mean squared distance between probabilities and truth, summed over the classes",
    .meaning =
        "The squared error of the probabilities against 1 for the true class and 0 for the others. "
        "Like the NLL it judges accuracy and calibration at once, but a single mistake costs at "
        "most 2. Other tools halve it or divide it by the number of classes.",
    .formula = "Brier = (1/n) Σᵢ Σₖ (pᵢ(k) − [k = yᵢ])²",
    .range = "0 to 2",
    .source = "Feng (thesis), eq. 4.8, without its stray minus sign",
    .is_fraction = false,
    .high_is_good = false};

inline constexpr MetricInfo kMmc{
    .key = "mmc",
    .subject = MetricSubject::kPrediction,
    .name = "mean maximum confidence",
    .symbol = "MMC",
    .summary = "mean maximum confidence over all items, labelled or not",
    .meaning =
        "How confident the network is on average. In distribution it should equal the accuracy; on "
        "out-of-distribution items, of which no class is right, it should be as low as possible, "
        "at best 1/K.",
    .formula = "MMC = (1/N) Σᵢ maxₖ pᵢ(k)",
    .range = "1/K to 1, shown in per cent",
    .source = "Hobbhahn (thesis), 5.2; Hendrycks and Gimpel 2017",
    .is_fraction = true,
    .high_is_good = std::nullopt};

inline constexpr MetricInfo kEce{
    .key = "ece",
    .subject = MetricSubject::kCalibration,
    .name = "expected calibration error",
    .symbol = "ECE",
    .summary =
        "expected calibration error: gap between confidence and accuracy, averaged over the items",
    .meaning =
        "Items are sorted into bins by confidence; in each bin the mean confidence is compared "
        "with the accuracy. 0 means that of the items given 80 %, 80 % are right. The value "
        "depends on number and kind of the bins, and few items make it too large.",
    .formula = "ECE = Σₘ |Bₘ|/n · |acc(Bₘ) − conf(Bₘ)|, M bins (l, r] of equal width",
    .range = "0 to 1, shown in per cent",
    .source = "Feng (thesis), eq. 4.4; Guo et al. 2017",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kMce{
    .key = "mce",
    .subject = MetricSubject::kCalibration,
    .name = "maximum calibration error",
    .symbol = "MCE",
    .summary = "largest gap between confidence and accuracy of a bin that is not empty",
    .meaning =
        "The worst bin of the reliability diagram. A bin of few items often decides it; look at "
        "the counts below the diagram before trusting it.",
    .formula = "MCE = maxₘ |acc(Bₘ) − conf(Bₘ)|",
    .range = "0 to 1, shown in per cent",
    .source = "Feng (thesis), eq. 4.5; Guo et al. 2017",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kRmsce{
    .key = "rmsce",
    .subject = MetricSubject::kCalibration,
    .name = "root mean square calibration error",
    .symbol = "RMSCE",
    .summary = "root mean square calibration error",
    .meaning =
        "The ECE with squared gaps: bins that are far off count more. It is never below the ECE "
        "and never above the MCE of the same bins.",
    .formula = "RMSCE = √( Σₘ |Bₘ|/n · (acc(Bₘ) − conf(Bₘ))² )",
    .range = "0 to 1, shown in per cent",
    .source = "Kumar, Liang and Ma 2019 (ℓ₂ calibration error)",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kAdaptiveEce{
    .key = "aece",
    .subject = MetricSubject::kCalibration,
    .name = "adaptive calibration error",
    .symbol = "adaptive ECE",
    .summary = "calibration error over bins of equal counts",
    .meaning =
        "The ECE over bins that hold equally many items, so that no bin is nearly empty. Items of "
        "equal confidence stay in one bin, so that their order does not matter.",
    .formula =
        "Σₘ |Bₘ|/n · |acc(Bₘ) − conf(Bₘ)|, upper edges s[⌈j n/M⌉ − 1] of the sorted confidences s",
    .range = "0 to 1, shown in per cent",
    .source = "Nguyen and O'Connor 2015; Nixon et al. 2019",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kClasswiseEce{
    .key = "classwise_ece",
    .subject = MetricSubject::kCalibration,
    .name = "class-wise calibration error",
    .symbol = "class-wise ECE",
    .summary = "calibration error of each class's probability, mean over the classes",
    .meaning =
        "Judges the probabilities of all classes, not only of the predicted one: of the items "
        "given 20 % for a class, 20 % should be of it. With many classes most probabilities are "
        "near 0 and the mean becomes small.",
    .formula = "(1/K) Σₖ Σₘ |Bₘₖ|/n · |share of class k in Bₘₖ − mean p(k) in Bₘₖ|",
    .range = "0 to 1, shown in per cent",
    .source = "Kull et al. 2019",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kDirichletPrecision{
    .key = "dirichlet_precision",
    .subject = MetricSubject::kItem,
    .name = "precision of the Dirichlet",
    .symbol = "α₀",
    .summary = "sum of the parameters of the item's Dirichlet distribution",
    .meaning =
        "How concentrated the distribution over the class probabilities is, whatever their mean: "
        "the larger, the closer all draws are to the mean. It is like a number of observed "
        "examples.",
    .formula = "α₀ = Σₖ α(k)",
    .range = "above 0",
    .source = "Hobbhahn (thesis), 2",
    .is_fraction = false,
    .high_is_good = std::nullopt};

inline constexpr MetricInfo kTopKSet{
    .key = "top_k_set",
    .subject = MetricSubject::kItem,
    .name = "uncertainty-aware top-k set",
    .symbol = "top-k set",
    .summary = "the classes whose marginals overlap, the likeliest first",
    .meaning =
        "How many classes cannot be told apart: the most probable class, then each next one as "
        "long as the central 95 % of its Beta marginal overlaps that of the class before. One "
        "class means a clear prediction.",
    .formula =
        "keep class i while Beta⁻¹(1 − T/2; αᵢ, α₀ − αᵢ) > Beta⁻¹(T/2; αᵢ₋₁, α₀ − αᵢ₋₁), T = 0.05",
    .range = "1 to 10 classes",
    .source = "Hobbhahn (thesis), Algorithm 1",
    .is_fraction = false,
    .high_is_good = std::nullopt};

inline constexpr MetricInfo kEvidence{
    .key = "evidence",
    .subject = MetricSubject::kApproximation,
    .name = "Laplace evidence (log marginal likelihood)",
    .symbol = "evidence",
    .summary = "log probability of the fitted data under the Laplace approximation",
    .meaning =
        "How well a prior precision τ explains the data that the posterior was fitted on, without "
        "a validation set: it rewards a good fit and charges for every weight that the data had to "
        "determine. Only differences between priors of the same fit mean anything.",
    .formula = "ln p(D|θ) − (τ/2)‖θ‖² + (P/2) ln τ − ½ ln det H",
    .range = "any number, nats",
    .source = "MacKay 1992",
    .is_fraction = false,
    .high_is_good = true};

}  // namespace dubito::metric_texts
