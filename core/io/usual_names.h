// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Common names of arrays and columns in files of predictions, in lower case, preferred names first.
// Case, underscores, spaces and dashes do not matter.

inline constexpr std::string_view kProbNames[] = {
    "probs",         "pred_probs", "probabilities", "prob",       "predicted_probabilities",
    "y_prob",        "y_probs",    "y_proba",       "pred_proba", "proba",
    "predict_proba", "softmax",    "softmax_probs", "topk_probs", "top_probs",
    "predictions",   "preds",      "pred",          "y_pred",     "y_score",
    "y_scores",      "scores",     "pyx",           "outputs",    "output"};
inline constexpr std::string_view kLogitNames[] = {
    "logits", "logit", "pred_logits", "y_logits", "log_probs", "logprobs", "log_softmax"};
inline constexpr std::string_view kLabelNames[] = {"labels",
                                                   "label",
                                                   "true_label",
                                                   "true_labels",
                                                   "ground_truth",
                                                   "ground_truths",
                                                   "targets",
                                                   "target",
                                                   "y",
                                                   "y_true",
                                                   "y_test",
                                                   "truth",
                                                   "given_label",
                                                   "original_labels",
                                                   "true_class",
                                                   "true_classes",
                                                   "gt",
                                                   "gt_label",
                                                   "gt_labels",
                                                   "gt_class",
                                                   "actual",
                                                   "actual_label",
                                                   "actual_class",
                                                   "actuals",
                                                   "y_actual",
                                                   "true",
                                                   "true_y",
                                                   "true_target",
                                                   "label_true",
                                                   "labels_true",
                                                   "class_true",
                                                   "expected",
                                                   "expected_label",
                                                   "expected_class",
                                                   "reference",
                                                   "references",
                                                   "reference_label",
                                                   "gold",
                                                   "gold_label",
                                                   "gold_labels",
                                                   "label_ids",
                                                   "y_val",
                                                   "target_label",
                                                   "correct_label",
                                                   "annotation",
                                                   "obs",
                                                   "observed"};
inline constexpr std::string_view kIdNames[] = {"ids", "id", "item_id", "item_ids"};
inline constexpr std::string_view kPredictedNames[] = {"pred_label",
                                                       "predicted_label",
                                                       "prediction",
                                                       "predicted",
                                                       "pred",
                                                       "y_pred",
                                                       "pred_class",
                                                       "predicted_class",
                                                       "pred_labels",
                                                       "predicted_labels",
                                                       "preds",
                                                       "predictions",
                                                       "y_hat",
                                                       "label_pred",
                                                       "class_pred",
                                                       "y_predicted",
                                                       "predicted_y",
                                                       "argmax",
                                                       "pred_idx",
                                                       "pred_index",
                                                       "pred_classes",
                                                       "predicted_classes",
                                                       "prediction_label",
                                                       "predicted_target",
                                                       "predict",
                                                       "scored_labels"};
/// Names that say that the number is the probability of the predicted class.
inline constexpr std::string_view kConfidenceNames[] = {
    "confidence",      "conf",      "confidences", "max_prob",
    "max_probability", "max_probs", "prob_max",    "top1_prob"};
/// Names of one number per item: the probability of class 1 of two, or of the predicted class.
inline constexpr std::string_view kOneProbNames[] = {
    "prob_1", "p_1",     "softmax_1", "prob",  "proba",  "p",    "probability",
    "y_prob", "y_proba", "y_score",   "score", "scores", "probs"};
inline constexpr std::string_view kClassNameNames[] = {"class_names",  "classes",    "label_names",
                                                       "target_names", "categories", "names"};
inline constexpr std::string_view kRankNames[] = {
    "topk_indices", "top_indices", "indices", "topk_classes", "top_classes", "topk_labels",
    "top_labels",   "topk_idx",    "index",   "topk_preds",   "topk_ids",    "top5_indices"};

/// `name` with ASCII letters in lower case, and '_' for spaces and dashes.
[[nodiscard]] inline std::string normalName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    out.push_back(upper ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '-' ? '_' : c);
  }
  return out;
}

/// The truth value that "true" or "false", in any case, stands for; nullopt for other texts.
[[nodiscard]] inline std::optional<bool> truthValue(std::string_view text) {
  const std::string key = normalName(text);
  return key == "true" ? std::optional(true) : key == "false" ? std::optional(false) : std::nullopt;
}

/// normalName without underscores: equal for "Ground Truth", "ground_truth" and "groundtruth".
[[nodiscard]] inline std::string nameKey(std::string_view name) {
  std::string key = normalName(name);
  std::erase(key, '_');
  return key;
}

/// Indices of the `names` whose nameKey is that of one of `usual`, in the order of `usual`.
[[nodiscard]] inline std::vector<std::size_t> findNames(const std::vector<std::string>& names,
                                                        std::span<const std::string_view> usual) {
  std::vector<std::string> keys;
  for (const std::string& name : names) {
    keys.push_back(nameKey(name));
  }
  std::vector<std::size_t> found;
  for (const std::string_view wanted : usual) {
    const std::string key = nameKey(wanted);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (keys[i] == key) {
        found.push_back(i);
      }
    }
  }
  return found;
}

}  // namespace dubito
