// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"

namespace dubito {

/// Meaning of a model's rows. Decided once per model, never per batch.
enum class OutputKind { kLogits, kProbabilities };

/// Information about a model beyond its weights, from `metadata.json` inside the archive,
/// `MODEL.json` next to it, or a given file.
struct ModelMetadata {
  std::string name;
  std::vector<std::string> class_names;  ///< empty: classes have numbers only
  Preprocessing preprocessing;
  OutputKind output = OutputKind::kLogits;
  bool output_declared = false;  ///< false: determined by running the model
  /// Which of several returned tensors has the class scores: a name or a position, as in
  /// OutputTensor; empty: the only candidate.
  std::string output_key;
  bool scale_declared = false;  ///< false: Preprocessing::scale is a default
  /// Where it was read from: "inside the archive", a path, or "none: defaults".
  std::string source = "none: defaults";
  std::vector<std::string> notes;  ///< unused keys, ignored files
};

/// A place where the network can drop units.
struct DropoutSite {
  std::int64_t site = 0;   ///< number in execution order; part of the key of every mask
  std::string name;        ///< module path ("dropout1"), or "functional"
  std::string op;          ///< "aten::dropout", "aten::feature_dropout", ...
  double drop_rate = 0.0;  ///< as stored in the model
  std::string place;       ///< location, in words: "before fc2"
  std::string mode;        ///< "follows training", "always on", "always off"
  /// Why the site cannot be switched on; empty if it can.
  std::string refused;
};

/// A normalisation layer; its running statistics are never updated.
struct NormLayer {
  std::string name;
  std::string op;
  std::string mode;  ///< as DropoutSite::mode
};

/// The last linear layer; its inputs are the features.
struct Head {
  bool found = false;
  std::string op;
  std::int64_t features = 0;
  std::int64_t classes = 0;
  bool has_bias = false;
  /// Another term added to W h ("wide (aten::linear)"): a computed bias, or outputs of other
  /// layers. Empty if none.
  std::string added;
  bool quantised = false;
  double reconstruction_error = 0.0;  ///< largest |W h + b (+ added) - logits| on the probe batch
  std::string reason;                 ///< why it was not found
};

/// Whether rows depend on the other items of a batch.
struct BatchBehaviour {
  bool is_known = true;  ///< false: hidden by the network's random numbers
  bool depends_on_batch = false;
  double max_prob_difference = 0.0;  ///< largest |dp| between an item alone and in a batch of eight
  std::string reason;                ///< the suspected cause ("quantized::linear_dynamic")
};

/// One of the tensors that a network returns.
struct OutputTensor {
  /// Keys of dictionaries, fields of named tuples and positions, joined by dots: "logits", "0",
  /// "1.boxes". Empty if the network returns a single tensor.
  std::string name;
  std::vector<std::int64_t> shape;  ///< for the probe batch
  std::string type;                 ///< element type: "Float", "Long"
  bool used = false;                ///< its rows are the class scores
};

/// What can be determined about a model without its Python code.
struct ModelAudit {
  std::vector<DropoutSite> dropout_sites;
  std::vector<NormLayer> norm_layers;
  Head head;
  std::string first_stochastic_site;  ///< name of the site; empty if none
  OutputKind output = OutputKind::kLogits;
  std::int64_t classes = 0;
  /// One output per item stands for two classes: it is the log-odds or the probability of class 1.
  bool one_output = false;
  std::vector<OutputTensor> outputs;  ///< all tensors that the network returns, in order
  std::int64_t parameter_count = 0;
  std::string number_type;  ///< of the parameters as stored: "Float", "Double", "Half"
  std::vector<std::int64_t> input_shape;  ///< of one item, as probed
  std::string torch_version;              ///< version that wrote the file, as far as it is recorded
  BatchBehaviour batch;
  /// Why two passes over the same items differ (the network's own random numbers, state that
  /// changes between calls), in a sentence; empty if they agree.
  std::string unrepeatable;
  std::vector<std::string> notes;  ///< findings as sentences, most important first
  /// The notes that concern the results; every run repeats them.
  std::vector<std::string> run_notes;
};

/// A loaded network with its metadata and audit. Immutable; use it from one computing thread at a
/// time.
class Model {
 public:
  struct Impl;  ///< in model_torch.h
  Model(ModelMetadata metadata, ModelAudit audit, std::string path, std::shared_ptr<Impl> impl);
  ~Model();

  [[nodiscard]] const ModelMetadata& metadata() const { return metadata_; }
  [[nodiscard]] const ModelAudit& audit() const { return audit_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  ModelMetadata metadata_;
  ModelAudit audit_;
  std::string path_;
  std::shared_ptr<Impl> impl_;
};

using ModelPtr = std::shared_ptr<const Model>;

/// Options for opening a model.
struct LoadModelOptions {
  /// Metadata file that replaces what is found inside or next to the model; empty: search there.
  std::string metadata_path;
  /// Overrides ModelMetadata::output_key; empty: as in the metadata.
  std::string output_key;

  [[nodiscard]] std::vector<Field> fields();
};

/// Loads and audits a TorchScript file. The audit runs the network on a probe batch of the
/// metadata's input size (if unknown, 28 x 28 greyscale, then common sizes). Refused with the
/// reason: state_dicts, pickled modules, models that return one row for a batch of eight, several
/// tensors that could be class scores, anything whose rows are not [K], multi-label and regression
/// networks.
[[nodiscard]] Expected<ModelPtr> loadModel(const std::string& path, const LoadModelOptions& options,
                                           RunContext& context);

}  // namespace dubito
