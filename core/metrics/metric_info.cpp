// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/nan.h"
#include "core/base/registry.h"
#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

// Indexed by Metric.
constexpr std::array<MetricInfo, kBuiltInMetrics> kMetrics{{
    {.key = "accuracy",
     .subject = MetricSubject::kPrediction,
     .name = "accuracy",
     .symbol = "accuracy",
     .summary = "share of correct predictions",
     .meaning = "How often the most probable class is the true one, over the labelled items. It "
                "says nothing about how confident the network was.",
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
     .meaning = "How improbable the true classes are to the network: 0 if each has probability 1. "
                "It combines accuracy and calibration, and one confident mistake can outweigh many "
                "good predictions. Computed from logits if the run has them, else from "
                "probabilities clamped to the smallest normal number of their type.",
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
     .meaning = "The squared error of the probabilities against 1 for the true class and 0 for the "
                "others. Like the NLL it combines accuracy and calibration, but a single mistake "
                "costs at most 2. Other tools halve it or divide it by the number of classes.",
     .formula = "Brier = (1/n) Σᵢ Σₖ (pᵢ(k) − [k = yᵢ])²",
     .range = "0 to 2",
     .source = "Brier 1950; Feng (thesis), eq. 4.8, without its stray minus sign",
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
         "Items are binned by confidence; in each bin the mean confidence is compared with "
         "the accuracy. 0 means that of the items with 80 % confidence, 80 % are correct. "
         "The value depends on the number and type of bins, and is biased upwards if there are "
         "few items.",
     .formula = "ECE = Σₘ |Bₘ|/n · |acc(Bₘ) − conf(Bₘ)|, M bins (l, r] of equal width",
     .range = "0 to 1, shown in per cent",
     .source = "Naeini et al. 2015; Guo et al. 2017; Feng (thesis), eq. 4.4",
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
     .summary = "largest gap between confidence and accuracy of a non-empty bin",
     .meaning = "The worst bin of the reliability diagram. A bin with few items often determines "
                "it; look at "
                "the counts below the diagram before trusting it.",
     .formula = "MCE = maxₘ |acc(Bₘ) − conf(Bₘ)|",
     .range = "0 to 1, shown in per cent",
     .source = "Naeini et al. 2015; Guo et al. 2017; Feng (thesis), eq. 4.5",
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
     .meaning = "The ECE with squared gaps, so that bins with large gaps count more. It is never "
                "below the ECE and never above the MCE of the same bins.",
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
     .summary = "calibration error over bins with equal counts",
     .meaning = "The ECE over bins with the same number of items, so that no bin is nearly empty. "
                "Items with equal confidence share a bin, so that their order does not matter.",
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
     .meaning = "Evaluates the probabilities of all classes, not only of the predicted one: of the "
                "items with 20 % probability for a class, 20 % should belong to it. With many "
                "classes most probabilities are near 0, and the mean becomes small.",
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
     .meaning = "How confident the network is on average. In distribution it should equal the "
                "accuracy; on out-of-distribution items, for which no class is correct, it should "
                "be as low as possible, ideally 1/K.",
     .formula = "MMC = (1/N) Σᵢ maxₖ pᵢ(k)",
     .range = "1/K to 1, shown in per cent",
     .source = "Hein et al. 2019; Hendrycks and Gimpel 2017; Hobbhahn (thesis), 5.2",
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
     .summary = "probability that a positive item scores above a negative one, ties counting half; "
                "0.5 is chance level",
     .meaning =
         "How well a score separates two groups at any threshold: correct (positive) from "
         "misclassified items, or in-distribution from OOD items. 1 means that every positive item "
         "ranks above every negative one. It does not depend on the group sizes.",
     .formula = "AUROC = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻)",
     .range = "0 to 1; 0.5 is chance level",
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
     .meaning = "The vertical axis of the ROC curve and the horizontal axis of the "
                "precision–recall curve. With correct predictions as positives, it is the share of "
                "them that a threshold retains.",
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
     .meaning = "The horizontal axis of the ROC curve: the share of the misclassified or OOD items "
                "that pass a threshold. The subtitle of the plot states which items are negative.",
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
     .summary = "average precision: area under the precision-recall steps over distinct "
                "thresholds; the share of positives is chance level",
     .meaning = "Precision averaged over recall, that is, the area under the precision–recall "
                "curve drawn as steps; trapezoids would be too optimistic. It depends on the share "
                "of positives: if nearly every prediction is correct, it is near 1 for any score.",
     .formula = "AP = Σₙ (Rₙ − Rₙ₋₁) Pₙ over the distinct thresholds",
     .range = "0 to 1; the share of positives is chance level",
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
     .summary = "share of the negatives that pass the threshold passed by at least 95 % of the "
                "positives",
     .meaning =
         "The share of negative items that pass a threshold which retains 95 % of the positive "
         "items. It is one point of the ROC curve, the one that OOD papers usually report.",
     .formula = "FPR at the highest threshold with TPR ≥ 0.95",
     .range = "0 to 1, shown in per cent; 95 % is chance level",
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
                "positives, it is the accuracy of the items that a threshold retains.",
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
     .summary = "share of the items retained, most certain first",
     .meaning = "The horizontal axis of the rejection curve: the remaining items are referred to a "
                "person. Items with equal scores are retained or rejected together.",
     .formula = "k/n of the n items, sorted by decreasing certainty",
     .range = "0 to 1",
     .source = "Geifman and El-Yaniv 2017; Gal 2019 (lectures)",
     .is_fraction = false,
     .high_is_good = std::nullopt,
     .convention = "",
     .is_compared = false,
     .is_tuned = false},
    {.key = "accuracy_retained",
     .subject = MetricSubject::kRanking,
     .name = "accuracy on retained items",
     .symbol = "accuracy on retained items",
     .summary = "share of correct predictions among the most certain items",
     .meaning = "The vertical axis of the rejection curve. It should rise as uncertain items are "
                "rejected; an oracle score keeps it at 1 until only mistakes are left to retain.",
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
     .summary = "area under the risk-coverage curve: mean error rate of the retained items over "
                "all coverages",
     .meaning = "The error rate of the retained items, averaged over all coverages, most certain "
                "first. It combines accuracy and ranking: a more accurate network has a lower AURC "
                "with the same ranking. Errors among equal scores count as evenly spread.",
     .formula = "AURC = (1/n) Σₖ errors(k)/k, k = 1 … n",
     .range = "0 to 1",
     .source = "Geifman and El-Yaniv 2017; Geifman, Uziel and El-Yaniv 2019",
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
     .summary = "AURC in excess of the oracle, which retains every error last",
     .meaning = "The cost of the ranking alone: 0 if every mistake ranks below every correct "
                "prediction. It subtracts the best possible AURC at the same accuracy.",
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
     .summary =
         "area under the generalised risk: errors among the retained items, divided by all items",
     .meaning =
         "Like the AURC, but the retained errors are divided by the number of all items, not of "
         "the retained ones. The few most certain items therefore do not dominate it.",
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
     .meaning = "How concentrated the distribution over the class probabilities is, whatever their "
                "mean: the larger, the closer all draws are to the mean. It acts like a number of "
                "observed examples.",
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
     .summary = "the classes whose marginals overlap, most likely first",
     .meaning = "The classes that cannot be separated: the most probable class, then each "
                "further class as long as the central 95 % of its Beta marginal overlaps that of "
                "the previous "
                "class. One class means a clear prediction.",
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
         "a validation set: it rewards a good fit and penalises every weight determined by the "
         "data. Only differences between priors of the same fit are meaningful.",
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

Registry<Metric, MetricInfo>& metricRegistry() {
  static Registry<Metric, MetricInfo> metrics(kMetrics);
  return metrics;
}

}  // namespace

const std::vector<Metric>& allMetrics() {
  return metricRegistry().ids();
}

const MetricInfo& describe(Metric metric) {
  return metricRegistry().info(metric);
}

Metric addMetric(const MetricInfo& info) {
  return metricRegistry().add(info);
}

bool isOfSet(Metric metric) {
  const MetricInfo& info = describe(metric);
  return info.of_set != nullptr || info.compute != nullptr;
}

double valueOf(const Evaluation& evaluation, Metric metric) {
  const MetricInfo& info = describe(metric);
  if (info.of_set != nullptr) {
    return info.of_set(evaluation);
  }
  const auto found = evaluation.computed.find(metric);
  return found == evaluation.computed.end() ? kNaN : found->second;
}

std::string conventionOf(Metric metric, std::int64_t bins) {
  constexpr std::string_view kBins = "{bins}";
  std::string convention = describe(metric).convention;
  if (const std::size_t place = convention.find(kBins); place != std::string::npos) {
    convention.replace(place, kBins.size(), std::to_string(bins));
  }
  return convention;
}

std::string rowName(Metric metric, std::int64_t bins) {
  const char* const symbol = describe(metric).symbol;
  const std::string convention = conventionOf(metric, bins);
  return convention.empty() ? symbol : fmt::format("{} ({})", symbol, convention);
}

std::string directionOf(Metric metric) {
  const std::optional<bool> high_is_good = describe(metric).high_is_good;
  return !high_is_good   ? "neither direction is better"
         : *high_is_good ? "higher is better"
                         : "lower is better";
}

std::string explain(Metric metric, const std::string& convention) {
  const MetricInfo& info = describe(metric);
  std::string text = info.summary;
  if (!convention.empty()) {
    text += " (" + convention + ")";
  }
  return info.high_is_good ? text + "; " + directionOf(metric) : text;
}

}  // namespace dubito
