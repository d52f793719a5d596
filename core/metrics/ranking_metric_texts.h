// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/metrics/metric_info.h"

namespace dubito::metric_texts {

// Metrics of scores that rank items, and the axes of their curves.

inline constexpr MetricInfo kAuroc{
    .key = "auroc",
    .subject = MetricSubject::kRanking,
    .name = "area under the ROC curve",
    .symbol = "AUROC",
    .summary =
        "chance that a positive item scores above a negative one, ties count half; 0.5 is guessing",
    .meaning =
        "How well a score separates two groups whatever the threshold: correct (positive) from "
        "misclassified items, or in-distribution from OOD items. 1 means that every positive item "
        "ranks above every negative one. It does not depend on the sizes of the groups.",
    .formula = "AUROC = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻)",
    .range = "0 to 1; 0.5 is guessing",
    .source = "Feng (thesis), 4.1.3; Gal 2019 (lectures)",
    .is_fraction = false,
    .high_is_good = true};

inline constexpr MetricInfo kTruePositiveRate{
    .key = "tpr",
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
    .high_is_good = true};

inline constexpr MetricInfo kFalsePositiveRate{
    .key = "fpr",
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
    .high_is_good = false};

inline constexpr MetricInfo kFpr95{
    .key = "fpr95",
    .subject = MetricSubject::kRanking,
    .name = "false positive rate at 95 % true positive rate",
    .symbol = "FPR95",
    .summary = "share of the negatives that pass where at least 95 % of the positives do",
    .meaning =
        "What a threshold that keeps 95 % of the positive items lets through of the negative ones. "
        "It reads the ROC curve at one point, the one that OOD papers usually print.",
    .formula = "FPR at the highest threshold with TPR ≥ 0.95",
    .range = "0 to 1, shown in per cent; 95 % is guessing",
    .source = "Liang et al. 2018",
    .is_fraction = true,
    .high_is_good = false};

inline constexpr MetricInfo kAveragePrecision{
    .key = "aupr",
    .subject = MetricSubject::kRanking,
    .name = "average precision",
    .symbol = "AP",
    .summary =
        "average precision: area under the precision-recall steps over distinct thresholds; the "
        "share of positives is guessing",
    .meaning =
        "Precision averaged over all recalls, that is, the area under the precision–recall curve "
        "drawn as steps; trapezoids would be too optimistic. It depends on the share of positives: "
        "where nearly every prediction is correct it is near 1 for any score.",
    .formula = "AP = Σₙ (Rₙ − Rₙ₋₁) Pₙ over the distinct thresholds",
    .range = "0 to 1; the share of positives is guessing",
    .source = "Feng (thesis), 4.1.3 (AUPR)",
    .is_fraction = false,
    .high_is_good = true};

inline constexpr MetricInfo kPrecision{
    .key = "precision",
    .subject = MetricSubject::kRanking,
    .name = "precision",
    .symbol = "precision",
    .summary = "share of positive items among those that pass a threshold",
    .meaning =
        "The vertical axis of the precision–recall curve. With correct predictions as positives it "
        "is how far the items that a threshold keeps can be trusted.",
    .formula = "precision = TP / (TP + FP)",
    .range = "0 to 1",
    .source = "Feng (thesis), 4.1.3",
    .is_fraction = false,
    .high_is_good = true};

inline constexpr MetricInfo kShareRetained{
    .key = "share_retained",
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
    .high_is_good = std::nullopt};

inline constexpr MetricInfo kAccuracyRetained{
    .key = "accuracy_retained",
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
    .high_is_good = true};

inline constexpr MetricInfo kAurc{
    .key = "aurc",
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
    .high_is_good = false};

inline constexpr MetricInfo kEaurc{
    .key = "eaurc",
    .subject = MetricSubject::kRanking,
    .name = "excess area under the risk-coverage curve",
    .symbol = "E-AURC",
    .summary = "AURC beyond that of a score which keeps every error for last",
    .meaning =
        "What the ranking alone costs: 0 if every mistake is ranked below every correct "
        "prediction. The best possible AURC of the same accuracy is taken off.",
    .formula = "E-AURC = AURC − AURC of the oracle",
    .range = "0 to 1",
    .source = "Geifman, Uziel and El-Yaniv 2019, with the exact oracle",
    .is_fraction = false,
    .high_is_good = false};

inline constexpr MetricInfo kAugrc{
    .key = "augrc",
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
    .high_is_good = false};

}  // namespace dubito::metric_texts
