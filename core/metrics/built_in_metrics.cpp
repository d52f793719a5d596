// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/built_in_metrics.h"

#include <algorithm>

#include "core/base/nan.h"
#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

// By Metric.
constexpr std::array<MetricInfo, kBuiltInMetrics> kMetrics{{
    {.key = "accuracy",
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
     .high_is_good = true,
     .convention = "",
     .is_compared = true,
     .is_tuned = true,
     .of_set = [](const Evaluation& evaluation) { return evaluation.accuracy.value_or(kNaN); }},
    {.key = "nll",
     .subject = MetricSubject::kPrediction,
     .name = "negative log-likelihood",
     .symbol = "NLL",
     .summary = "mean negative log probability of the true class, nats",
     .meaning =
         "How improbable the network held the true classes: 0 if it gave each probability 1. It "
         "judges accuracy and calibration at once, and one confident mistake can outweigh many "
         "good "
         "predictions. Computed from logits where the run has them, else from probabilities that "
         "are not below the smallest number of their type.",
     .formula = "NLL = −(1/n) Σᵢ ln pᵢ(yᵢ)",
     .range = "0 to infinity, nats; guessing among K classes gives ln K",
     .source = "Feng (thesis), eq. 4.7",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "",
     .is_compared = true,
     .is_tuned = true,
     .of_set = [](const Evaluation& evaluation) { return evaluation.nll.value_or(kNaN); }},
    {.key = "brier",
     .subject = MetricSubject::kPrediction,
     .name = "Brier score",
     .symbol = "Brier",
     .summary = "mean squared distance between probabilities and truth, summed over the classes",
     .meaning =
         "The squared error of the probabilities against 1 for the true class and 0 for the "
         "others. "
         "Like the NLL it judges accuracy and calibration at once, but a single mistake costs at "
         "most 2. Other tools halve it or divide it by the number of classes.",
     .formula = "Brier = (1/n) Σᵢ Σₖ (pᵢ(k) − [k = yᵢ])²",
     .range = "0 to 2",
     .source = "Feng (thesis), eq. 4.8, without its stray minus sign",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "sum over classes",
     .is_compared = true,
     .is_tuned = true,
     .of_set = [](const Evaluation& evaluation) { return evaluation.brier.value_or(kNaN); }},
    {.key = "ece",
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
     .high_is_good = false,
     .convention = "{bins} bins, L1, equal width, top-label",
     .is_compared = true,
     .is_tuned = true,
     .of_set = [](const Evaluation& evaluation) { return evaluation.ece.value_or(kNaN); }},
    {.key = "mce",
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
     .high_is_good = false,
     .convention = "{bins} bins, equal width, top-label",
     .is_compared = false,
     .is_tuned = false,
     .of_set = [](const Evaluation& evaluation) { return evaluation.mce.value_or(kNaN); }},
    {.key = "rmsce",
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
     .high_is_good = false,
     .convention = "{bins} bins, L2, equal width, top-label",
     .is_compared = false,
     .is_tuned = false,
     .of_set = [](const Evaluation& evaluation) { return evaluation.rmsce.value_or(kNaN); }},
    {.key = "aece",
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
     .high_is_good = false,
     .convention = "{bins} bins, L1, equal mass, ties kept together",
     .is_compared = true,
     .is_tuned = false,
     .of_set = [](const Evaluation& evaluation) { return evaluation.aece.value_or(kNaN); }},
    {.key = "classwise_ece",
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
     .high_is_good = false,
     .convention = "{bins} bins, L1, equal width",
     .is_compared = false,
     .is_tuned = false,
     .of_set =
         [](const Evaluation& evaluation) { return evaluation.classwise_ece.value_or(kNaN); }},
    {.key = "mmc",
     .subject = MetricSubject::kPrediction,
     .name = "mean maximum confidence",
     .symbol = "MMC",
     .summary = "mean maximum confidence over all items, labelled or not",
     .meaning =
         "How confident the network is on average. In distribution it should equal the accuracy; "
         "on "
         "out-of-distribution items, of which no class is right, it should be as low as possible, "
         "at best 1/K.",
     .formula = "MMC = (1/N) Σᵢ maxₖ pᵢ(k)",
     .range = "1/K to 1, shown in per cent",
     .source = "Hobbhahn (thesis), 5.2; Hendrycks and Gimpel 2017",
     .is_fraction = true,
     .high_is_good = std::nullopt,
     .convention = "",
     .is_compared = true,
     .is_tuned = true,
     .of_set = [](const Evaluation& evaluation) { return evaluation.mmc; }},
    {.key = "auroc",
     .subject = MetricSubject::kRanking,
     .name = "area under the ROC curve",
     .symbol = "AUROC",
     .summary = "chance that a positive item scores above a negative one, ties count half; 0.5 is "
                "guessing",
     .meaning =
         "How well a score separates two groups whatever the threshold: correct (positive) from "
         "misclassified items, or in-distribution from OOD items. 1 means that every positive item "
         "ranks above every negative one. It does not depend on the sizes of the groups.",
     .formula = "AUROC = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻)",
     .range = "0 to 1; 0.5 is guessing",
     .source = "Feng (thesis), 4.1.3; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = true,
     .is_tuned = true,
     .of_ranking = [](const RankMetrics& metrics) { return metrics.auroc; }},
    {.key = "tpr",
     .subject = MetricSubject::kRanking,
     .name = "true positive rate (recall)",
     .symbol = "recall",
     .summary = "share of the positive items that pass a threshold",
     .meaning =
         "The vertical axis of the ROC curve and the horizontal one of the precision–recall curve. "
         "With correct predictions as positives it is the share of them that a threshold keeps.",
     .formula = "TPR = recall = TP / (TP + FN)",
     .range = "0 to 1",
     .source = "Feng (thesis), 4.1.3; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "fpr",
     .subject = MetricSubject::kRanking,
     .name = "false positive rate",
     .symbol = "FPR",
     .summary = "share of the negative items that pass a threshold",
     .meaning =
         "The horizontal axis of the ROC curve: the share of the misclassified or OOD items that a "
         "threshold lets through. Which items are the negative ones stands below the title of the "
         "plot.",
     .formula = "FPR = FP / (FP + TN)",
     .range = "0 to 1",
     .source = "Feng (thesis), 4.1.3; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "aupr",
     .subject = MetricSubject::kRanking,
     .name = "average precision",
     .symbol = "AP",
     .summary =
         "average precision: area under the precision-recall steps over distinct thresholds; the "
         "share of positives is guessing",
     .meaning =
         "Precision averaged over all recalls, that is, the area under the precision–recall curve "
         "drawn as steps; trapezoids would be too optimistic. It depends on the share of "
         "positives: "
         "where nearly every prediction is correct it is near 1 for any score.",
     .formula = "AP = Σₙ (Rₙ − Rₙ₋₁) Pₙ over the distinct thresholds",
     .range = "0 to 1; the share of positives is guessing",
     .source = "Feng (thesis), 4.1.3 (AUPR)",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = false,
     .is_tuned = false,
     .of_ranking = [](const RankMetrics& metrics) { return metrics.aupr; }},
    {.key = "fpr95",
     .subject = MetricSubject::kRanking,
     .name = "false positive rate at 95 % true positive rate",
     .symbol = "FPR95",
     .summary = "share of the negatives that pass where at least 95 % of the positives do",
     .meaning = "What a threshold that keeps 95 % of the positive items lets through of the "
                "negative ones. "
                "It reads the ROC curve at one point, the one that OOD papers usually print.",
     .formula = "FPR at the highest threshold with TPR ≥ 0.95",
     .range = "0 to 1, shown in per cent; 95 % is guessing",
     .source = "Liang et al. 2018",
     .is_fraction = true,
     .high_is_good = false,
     .convention = "",
     .is_compared = true,
     .is_tuned = false,
     .of_ranking = [](const RankMetrics& metrics) { return metrics.fpr95; }},
    {.key = "precision",
     .subject = MetricSubject::kRanking,
     .name = "precision",
     .symbol = "precision",
     .summary = "share of positive items among those that pass a threshold",
     .meaning = "The vertical axis of the precision–recall curve. With correct predictions as "
                "positives it "
                "is how far the items that a threshold keeps can be trusted.",
     .formula = "precision = TP / (TP + FP)",
     .range = "0 to 1",
     .source = "Feng (thesis), 4.1.3",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "share_retained",
     .subject = MetricSubject::kRanking,
     .name = "share retained (coverage)",
     .symbol = "share retained",
     .summary = "share of the items that are kept, the most certain first",
     .meaning =
         "The horizontal axis of the rejection curve: the rest is left to a person. Items of equal "
         "score are kept or left together.",
     .formula = "k/n of the n items, sorted by falling certainty",
     .range = "0 to 1",
     .source = "Geifman and El-Yaniv 2017; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = std::nullopt,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "accuracy_retained",
     .subject = MetricSubject::kRanking,
     .name = "accuracy of the retained items",
     .symbol = "accuracy of the retained",
     .summary = "share of right predictions among the most certain items",
     .meaning =
         "The vertical axis of the rejection curve. It should rise as the uncertain items are left "
         "out; a score that knows every mistake keeps it at 1 until only mistakes are left to add.",
     .formula = "1 − errors(k)/k of the k most certain items",
     .range = "0 to 1",
     .source = "Geifman and El-Yaniv 2017; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "aurc",
     .subject = MetricSubject::kRanking,
     .name = "area under the risk-coverage curve",
     .symbol = "AURC",
     .summary = "area under the risk-coverage curve: mean error rate of the items kept first",
     .meaning =
         "The error rate among the items kept, averaged over how many are kept, the most certain "
         "first. It judges accuracy and ranking together: a more accurate network has a lower AURC "
         "with the same ranking. Errors among equal scores count as evenly spread.",
     .formula = "AURC = (1/n) Σₖ errors(k)/k, k = 1 … n",
     .range = "0 to 1",
     .source = "Geifman and El-Yaniv 2017",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "",
     .is_compared = true,
     .is_tuned = false,
     .of_selection = [](const SelectiveMetrics& metrics) { return metrics.aurc; }},
    {.key = "eaurc",
     .subject = MetricSubject::kRanking,
     .name = "excess area under the risk-coverage curve",
     .symbol = "E-AURC",
     .summary = "AURC beyond that of a score which keeps every error for last",
     .meaning = "What the ranking alone costs: 0 if every mistake is ranked below every correct "
                "prediction. The best possible AURC of the same accuracy is taken off.",
     .formula = "E-AURC = AURC − AURC of the oracle",
     .range = "0 to 1",
     .source = "Geifman, Uziel and El-Yaniv 2019, with the exact oracle",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "",
     .is_compared = false,
     .is_tuned = false,
     .of_selection = [](const SelectiveMetrics& metrics) { return metrics.eaurc; }},
    {.key = "augrc",
     .subject = MetricSubject::kRanking,
     .name = "area under the generalised risk-coverage curve",
     .symbol = "AUGRC",
     .summary = "area under the generalised risk: errors among the kept over all items",
     .meaning =
         "Like the AURC, but the errors kept are divided by the number of all items, not of the "
         "kept ones. The few most certain items therefore do not dominate it.",
     .formula = "AUGRC = ∫ errors(k)/n d(k/n), trapezoids from k = 0",
     .range = "0 to 0.5",
     .source = "Traub et al. 2024",
     .is_fraction = false,
     .high_is_good = false,
     .convention = "",
     .is_compared = false,
     .is_tuned = false,
     .of_selection = [](const SelectiveMetrics& metrics) { return metrics.augrc; }},
    {.key = "dirichlet_precision",
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
     .high_is_good = std::nullopt,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "top_k_set",
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
     .high_is_good = std::nullopt,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "evidence",
     .subject = MetricSubject::kApproximation,
     .name = "Laplace evidence (log marginal likelihood)",
     .symbol = "evidence",
     .summary = "log probability of the fitted data under the Laplace approximation",
     .meaning =
         "How well a prior precision τ explains the data that the posterior was fitted on, without "
         "a validation set: it rewards a good fit and charges for every weight that the data had "
         "to "
         "determine. Only differences between priors of the same fit mean anything.",
     .formula = "ln p(D|θ) − (τ/2)‖θ‖² + (P/2) ln τ − ½ ln det H",
     .range = "any number, nats",
     .source = "MacKay 1992",
     .is_fraction = false,
     .high_is_good = true,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
}};

static_assert(std::ranges::all_of(kMetrics,
                                  [](const MetricInfo& info) { return isComplete(info); }));

}  // namespace

const std::array<MetricInfo, kBuiltInMetrics>& builtInMetrics() {
  return kMetrics;
}

}  // namespace dubito
