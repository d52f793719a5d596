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

/// What a model's rows mean. Decided once a model, never by batch.
enum class OutputKind { kLogits, kProbabilities };

/// What people know about a model beyond its weights: `metadata.json` inside the archive,
/// `MODEL.json` beside it, or a file given.
struct ModelMetadata {
  std::string name;
  std::vector<std::string> class_names;  ///< empty: numbers
  Preprocessing preprocessing;
  OutputKind output = OutputKind::kLogits;
  bool output_declared = false;  ///< false: found out by running the model
  /// Which of several returned tensors has the class scores: a name or a position, as
  /// OutputTensor has them; empty: the only one that can be.
  std::string output_key;
  bool scale_declared = false;  ///< false: Preprocessing::scale is a default
  /// Where it was read: "inside the archive", a path, or "none: defaults".
  std::string source = "none: defaults";
  std::vector<std::string> notes;  ///< keys that were not used, files that were passed over
};

/// A place where the network can drop units.
struct DropoutSite {
  std::int64_t site = 0;   ///< number in execution order; part of the key of every mask
  std::string name;        ///< module path ("dropout1"), or "functional"
  std::string op;          ///< "aten::dropout", "aten::feature_dropout", ...
  double drop_rate = 0.0;  ///< as stored in the model
  std::string place;       ///< where, in words: "before fc2"
  std::string mode;        ///< "follows training", "always on", "always off"
  /// Empty where the site can be switched on, else why it cannot.
  std::string refused;
};

/// A normalisation layer; its running statistics are never updated by us.
struct NormLayer {
  std::string name;
  std::string op;
  std::string mode;  ///< as DropoutSite::mode
};

/// The last linear layer, whose input are the features.
struct Head {
  bool found = false;
  std::string op;
  std::int64_t features = 0;
  std::int64_t classes = 0;
  bool has_bias = false;
  /// What else is added to W h ("wide (aten::linear)"): a bias that is computed, or outputs of
  /// other layers. Empty: nothing.
  std::string added;
  bool quantised = false;
  double reconstruction_error = 0.0;  ///< largest |W h + b (+ added) - logits| on the probe batch
  std::string reason;                 ///< why it was not found
};

/// How rows relate to the items of a batch.
struct BatchBehaviour {
  bool is_known = true;  ///< false: the network's random numbers hide it
  bool depends_on_batch = false;
  double max_prob_difference =
      0.0;             ///< largest |dp| of an item alone against the same item in a batch of eight
  std::string reason;  ///< the suspected cause ("quantized::linear_dynamic")
};

/// One of the tensors that a network returns.
struct OutputTensor {
  /// Keys of dictionaries, fields of named tuples and positions, joined by dots: "logits", "0",
  /// "1.boxes". Empty if the network returns a tensor.
  std::string name;
  std::vector<std::int64_t> shape;  ///< for the probe batch
  std::string type;                 ///< of its elements: "Float", "Long"
  bool used = false;                ///< its rows are the class scores
};

/// What can be known of a model without its Python code.
struct ModelAudit {
  std::vector<DropoutSite> dropout_sites;
  std::vector<NormLayer> norm_layers;
  Head head;
  std::string first_stochastic_site;  ///< name of the site; empty without any
  OutputKind output = OutputKind::kLogits;
  std::int64_t classes = 0;
  /// One output per item stands for two classes: it is the log-odds or the probability of class 1.
  bool one_output = false;
  std::vector<OutputTensor> outputs;  ///< all that the network returns, in their order
  std::int64_t parameter_count = 0;
  std::string number_type;  ///< of the parameters as stored: "Float", "Double", "Half"
  std::vector<std::int64_t> input_shape;  ///< of one item, as probed
  std::string torch_version;              ///< that wrote the file, as far as the archive tells
  BatchBehaviour batch;
  /// Why two passes over the same items differ (random numbers of the network's own, state that
  /// changes from call to call), in a sentence; empty: they agree.
  std::string unrepeatable;
  std::vector<std::string> notes;  ///< findings in sentences, most important first
  /// Those of the notes that are about the results, so that every run repeats them.
  std::vector<std::string> run_notes;
};

/// A loaded network with its metadata and audit. Immutable; may be used from one computing thread
/// at a time.
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

/// How to open a model.
struct LoadModelOptions {
  /// Metadata to use in place of what is found inside or beside the model; empty: look there.
  std::string metadata_path;
  /// Overrides ModelMetadata::output_key; empty: what the metadata says.
  std::string output_key;

  [[nodiscard]] std::vector<Field> fields();
};

/// Loads and audits a TorchScript file. The audit runs the network on a probe batch of the
/// metadata's input size (28 x 28 grey where nothing is known, then common sizes). Refused with
/// their reason: state_dicts, pickled modules, models that return one row for a batch of eight,
/// several tensors that could be class scores, anything whose rows are not [K], multi-label and
/// regression networks.
[[nodiscard]] Expected<ModelPtr> loadModel(const std::string& path, const LoadModelOptions& options,
                                           RunContext& context);

/// A hash over the bytes of all parameters and buffers: a prediction leaves it as it was.
[[nodiscard]] std::uint64_t parameterHash(const Model& model);

}  // namespace dubito
