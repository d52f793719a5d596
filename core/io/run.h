// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"

namespace dubito {

/// An item that could not be used, and why.
struct SkippedItem {
  std::string name;
  std::string reason;
};

/// Hash over all masks that one site used in one draw, over the items in order of id: equal for
/// equal masks.
struct MaskHash {
  std::int64_t site = 0;
  std::int64_t draw = 0;
  std::uint64_t hash = 0;
};

/// How a run came about: enough to repeat it. Written as the `meta` text of a run file.
struct RunMeta {
  /// 1: `confidence` is rounded to float32, there is no `log_rest`, `logits` are float32.
  /// 2: `confidence` in double, `log_rest`, `logits` in the type that they came in.
  static constexpr int kSchemaVersion = 2;
  int schema_version = kSchemaVersion;
  std::string task = "classification";
  /// "map", "mc-dropout", ...; "predictions" for a file of another program.
  std::string method;
  /// The method's options as a JSON object in text form.
  std::string method_options = "{}";
  std::string model_name;
  std::string model_path;
  /// networkHash of the model; of an ensemble over those of its members; empty if not known.
  std::string network_hash;
  std::string dataset_name;
  std::string dataset_spec;
  std::string role;  ///< "train", "calibration", "test", "ood", "unlabelled", or empty
  std::string
      dataset_hash;  ///< of ids, labels and network inputs, taken while predicting; hexadecimal
  std::vector<std::string> class_names;
  std::uint64_t seed = 0;
  std::string device;
  std::int64_t batch = 0;
  int threads = 0;
  /// What the network was given, in words (Preprocessing::describe).
  std::string preprocessing;
  std::map<std::string, std::string> versions;  ///< "dubito", "torch", ...
  std::map<std::string, double> timings;        ///< seconds by stage
  std::vector<MaskHash> mask_hashes;
  std::vector<SkippedItem> skipped;
  std::vector<std::string> notes;  ///< all that a reader of the numbers must know
  bool stopped_early = false;
};

[[nodiscard]] nlohmann::json toJson(const RunMeta& meta);
/// Reads every schema version up to kSchemaVersion; a newer one is kUnsupported.
[[nodiscard]] Expected<RunMeta> runMetaFromJson(const nlohmann::json& object);

/// Probabilities as they were stored: float32, or float64 in files of other programs.
using RealArray = std::variant<Array<float>, Array<double>>;

/// The immutable result of one method on one dataset; all arrays share memory with whoever made
/// them. N items, K classes, T draws. Runs join on `ids`.
struct Run {
  /// [N, K], rows sum to 1. Absent where a file only held confidences.
  std::optional<RealArray> probs;
  Array<std::int64_t> labels;       ///< [N], -1 unknown
  Array<std::int64_t> ids;          ///< [N], unique
  Array<std::int64_t> predictions;  ///< [N], class of the largest probability (ties: the lowest)
  Array<double> confidence;         ///< [N], largest probability
  /// [N], log(1 - confidence) in [-infinity, 0], which ranks items whose confidence rounds to 1.
  /// Absent in older files and for confidences alone: logRestOf derives it.
  std::optional<Array<double>> log_rest;
  /// [N], predictive entropy in nats.
  std::optional<Array<double>> entropy;
  /// [N], mean entropy of the draws in nats (aleatoric part).
  std::optional<Array<double>> expected_entropy;
  /// [N], entropy - expected_entropy in nats (epistemic part).
  std::optional<Array<double>> mutual_information;
  /// [N], 1 - share of the modal class among the predictions of several draws.
  std::optional<Array<double>> variation_ratio;
  /// [N], sum over classes of the variance of their probability over the draws.
  std::optional<Array<double>> variance;
  std::optional<RealArray> logits;      ///< [N, K]
  std::optional<Array<float>> samples;  ///< [T, N, K], probabilities of each draw
  /// [N, K], mean and variance of a Gaussian over the logits; both or neither.
  std::optional<Array<float>> logit_mean;
  std::optional<Array<float>> logit_var;
  std::optional<Array<double>> alpha;  ///< [N, K], Dirichlet over the probabilities, > 0
  /// [N], how far the closed forms lie from draws of the same Gaussian (HonestyGauge): largest
  /// differences of a probability, both or neither; KL divergence in nats for three classes. NaN if
  /// there is none: a gauge may hold some of the items alone.
  std::optional<Array<double>> gauge_bridge;
  std::optional<Array<double>> gauge_probit;
  std::optional<Array<double>> gauge_divergence;
  RunMeta meta;

  [[nodiscard]] std::int64_t itemCount() const { return ids.size(); }
  /// K, or 0 if there are no probabilities.
  [[nodiscard]] std::int64_t classCount() const;
  /// T, or 0 if no draws were kept.
  [[nodiscard]] std::int64_t drawCount() const { return samples ? samples->extent(0) : 0; }
  /// Probability of class `k` of item `i`. Unchecked; needs probs.
  [[nodiscard]] double prob(std::int64_t i, std::int64_t k) const;
  /// Name of class `k`: from the metadata, else its number.
  [[nodiscard]] std::string className(std::int64_t k) const;
};

/// The same items with their labels and what is known of the run; no predictions.
[[nodiscard]] Run itemsAlone(const Run& run);

}  // namespace dubito
