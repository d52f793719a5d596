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
#include "core/base/note.h"
#include "core/io/any_array.h"
#include "core/io/label_source.h"
#include "core/io/run_axes.h"
#include "core/task/task.h"

namespace dubito {

/// An item that was skipped, and why.
struct SkippedItem {
  std::string name;
  std::string reason;
};

/// Hash of the masks of all items, ordered by id, at one site in one draw. Equal masks have equal
/// hashes.
struct MaskHash {
  std::int64_t site = 0;
  std::int64_t draw = 0;
  std::uint64_t hash = 0;
};

/// How a run was computed, in enough detail to reproduce it. Stored as the `meta` text of a run
/// file.
struct RunMeta {
  /// Version of the file format. 1: `confidence` rounded to float32, no `log_rest`, `logits` in
  /// float32. 2: `confidence` in double, `log_rest`, `logits` in their original type.
  static constexpr int kSchemaVersion = 2;
  int schema_version = kSchemaVersion;
  std::string task = kClassification;  ///< key of a Task
  /// "map", "mc-dropout", ...; "predictions" for a file of another program.
  std::string method;
  /// The method's options as a JSON object in text form.
  std::string method_options = "{}";
  std::string model_name;
  std::string model_path;
  /// networkHash of the model; for an ensemble, a hash of the hashes of its members; empty if
  /// unknown.
  std::string network_hash;
  std::string dataset_name;
  std::string dataset_spec;
  std::string role;  ///< "train", "calibration", "test", "ood", "unlabelled", or empty
  std::string
      dataset_hash;  ///< of ids, labels and network inputs, computed during prediction; hexadecimal
  std::vector<std::string> class_names;
  std::uint64_t seed = 0;
  std::string device;
  std::int64_t batch = 0;
  int threads = 0;
  /// The preprocessing of the inputs, in words (Preprocessing::describe).
  std::string preprocessing;
  std::map<std::string, std::string> versions;  ///< "dubito", "torch", ...
  std::map<std::string, double> timings;        ///< seconds by stage
  std::vector<MaskHash> mask_hashes;
  std::vector<SkippedItem> skipped;
  std::vector<Note> notes;  ///< caveats that users of the numbers must know
  bool stopped_early = false;
  /// Set if `labels` are not those of the dataset, but reviewed ones.
  std::optional<ReviewedLabelSource> reviewed_labels;
};

[[nodiscard]] nlohmann::json toJson(const RunMeta& meta);
/// Reads every schema version up to kSchemaVersion; a newer one is kUnsupported.
[[nodiscard]] Expected<RunMeta> runMetaFromJson(const nlohmann::json& object);

/// Probabilities in their stored type: float32, or float64 in files of other programs.
using RealArray = std::variant<Array<float>, Array<double>>;

/// An array with its name in a run file.
struct NamedArray {
  std::string key;
  RunAxes axes;
  AnyArray values;
};

/// The immutable result of one method on one dataset. Its arrays may share memory with other
/// objects, such as a mapped file. N items, K classes, T draws. Runs are joined on `ids`.
struct Run {
  /// [N, K], rows sum to 1. Absent if the file has only confidences.
  std::optional<RealArray> probs;
  Array<std::int64_t> labels;       ///< [N], -1: unknown
  Array<std::int64_t> ids;          ///< [N], unique
  Array<std::int64_t> predictions;  ///< [N], class of the largest probability (ties: the lowest)
  Array<double> confidence;         ///< [N], largest probability
  /// [N], log(1 - confidence) in [-infinity, 0], which orders items whose confidence rounds to 1.
  /// Absent in older files and in runs with only confidences; logRestOf then computes it.
  std::optional<Array<double>> log_rest;
  /// [N], predictive entropy in nats.
  std::optional<Array<double>> entropy;
  /// [N], mean entropy of the draws in nats (aleatoric part).
  std::optional<Array<double>> expected_entropy;
  /// [N], entropy - expected_entropy in nats (epistemic part).
  std::optional<Array<double>> mutual_information;
  /// [N], 1 - share of the modal class among the predictions of the draws.
  std::optional<Array<double>> variation_ratio;
  /// [N], sum over classes of the variance of their probability over the draws.
  std::optional<Array<double>> variance;
  std::optional<RealArray> logits;      ///< [N, K]
  std::optional<Array<float>> samples;  ///< [T, N, K], probabilities of each draw
  /// [N, K], mean and variance of a Gaussian over the logits; both or neither are present.
  std::optional<Array<float>> logit_mean;
  std::optional<Array<float>> logit_var;
  std::optional<Array<double>> alpha;  ///< [N, K], Dirichlet over the probabilities, > 0
  /// [N], approximation errors of the closed forms, compared with draws from the same Gaussian
  /// (HonestyGauge). gauge_bridge and gauge_probit (both or neither are present): largest
  /// difference of a class's probability. gauge_divergence: KL divergence in nats, only for three
  /// classes. NaN for items that were not gauged.
  std::optional<Array<double>> gauge_bridge;
  std::optional<Array<double>> gauge_probit;
  std::optional<Array<double>> gauge_divergence;
  /// Arrays that no measure uses: of a newer version, of another program, or of context. They are
  /// kept, go with their items, and are written again.
  std::vector<NamedArray> others;
  RunMeta meta;

  [[nodiscard]] std::int64_t itemCount() const { return ids.size(); }
  /// K, or 0 if there are no probabilities.
  [[nodiscard]] std::int64_t classCount() const;
  /// T, or 0 if no draws were kept.
  [[nodiscard]] std::int64_t drawCount() const { return samples ? samples->extent(0) : 0; }
  /// Probability of class `k` of item `i`. Requires probs; the indices are not checked.
  [[nodiscard]] double prob(std::int64_t i, std::int64_t k) const;
  /// Name of class `k`: from the metadata, else its number.
  [[nodiscard]] std::string className(std::int64_t k) const;
};

/// A run with the ids, labels and metadata of `run`, without predictions.
[[nodiscard]] Run withoutPredictions(const Run& run);

}  // namespace dubito
