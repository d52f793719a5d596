// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Common names of arrays and columns in files of predictions, in lower case, preferred names first.

inline constexpr std::string_view kProbNames[] = {
    "probs",         "pred_probs", "probabilities", "prob",        "predicted_probabilities",
    "y_prob",        "y_probs",    "y_proba",       "pred_proba",  "proba",
    "predict_proba", "softmax",    "softmax_probs", "predictions", "preds",
    "pred",          "y_pred",     "y_score",       "pyx",         "outputs"};
inline constexpr std::string_view kLogitNames[] = {
    "logits", "logit", "pred_logits", "y_logits", "log_probs", "logprobs", "log_softmax"};
inline constexpr std::string_view kLabelNames[] = {
    "labels", "label",  "true_label", "true_labels", "ground_truth",    "targets",    "target", "y",
    "y_true", "y_test", "truth",      "given_label", "original_labels", "true_class", "gt"};
inline constexpr std::string_view kIdNames[] = {"ids", "id", "item_id", "item_ids"};
inline constexpr std::string_view kPredictedNames[] = {
    "pred_label", "predicted_label", "prediction",      "predicted",  "pred",
    "y_pred",     "pred_class",      "predicted_class", "pred_labels"};
inline constexpr std::string_view kConfidenceNames[] = {
    "confidence", "conf", "confidences", "max_prob", "max_probability", "probability", "score"};

/// `name` with ASCII letters in lower case, and '_' for spaces and dashes.
[[nodiscard]] inline std::string normalName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    out.push_back(upper ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '-' ? '_' : c);
  }
  return out;
}

/// Indices of the `names` whose normalName is in `usual`, in the order of `usual`.
[[nodiscard]] inline std::vector<std::size_t> findNames(const std::vector<std::string>& names,
                                                        std::span<const std::string_view> usual) {
  std::vector<std::size_t> found;
  for (const std::string_view wanted : usual) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (normalName(names[i]) == wanted) {
        found.push_back(i);
      }
    }
  }
  return found;
}

}  // namespace dubito
