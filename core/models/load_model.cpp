// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/base/thread_count.h"
#include "core/data/pixels/one_thread_torch.h"
#include "core/kernels/cuda_library.h"
#include "core/models/audit_torch.h"
#include "core/models/guessed_preprocessing.h"
#include "core/models/model_metadata.h"
#include "core/models/model_torch.h"
#include "core/models/output_form_torch.h"
#include "core/models/own_state_torch.h"
#include "core/models/program/network_file_torch.h"
#include "core/models/program/network_format.h"
#include "core/models/program/remedy.h"
#include "core/models/program/torch_reason.h"
#include "core/models/repeatability_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kStages = 4;

/// Fills in what the metadata leaves open: the channels of an image network; vectors are not bytes,
/// so they are not scaled unless the metadata says so.
void completePreprocessing(const Probe& probe, ModelMetadata& metadata) {
  if (probe.shape.size() == 3 && metadata.preprocessing.channels == 0) {
    metadata.preprocessing.channels = probe.shape[0];
  }
  if (probe.only_size) {
    // Resizes images of other sizes instead of refusing them.
    metadata.preprocessing.height = probe.shape[1];
    metadata.preprocessing.width = probe.shape[2];
  }
  if (probe.shape.size() == 1 && !metadata.scale_declared) {
    metadata.preprocessing.scale = 1.0;
  }
}

/// The parts of the preprocessing that are not declared.
std::vector<std::string> guessedParts(const Probe& probe, bool declares_values) {
  std::vector<std::string> parts;
  if (probe.guessed && probe.shape.size() == 3) {
    parts.emplace_back("input size");
  }
  if (!declares_values) {
    parts.emplace_back("value range");
  }
  return parts;
}

/// A network that returns one tensor, and its output for a batch of synthetic items.
struct ProbedNetwork {
  PreparedNetwork network;
  Probe probe;
};

Expected<ProbedNetwork> prepareAndProbe(torch::jit::Module& module, const ModelMetadata& metadata,
                                        const StatedInput& stated, const std::string& path,
                                        bool shares_torch) {
  auto network = prepareNetwork(module, path);
  if (!network) {
    return failWith(network);
  }
  if (shares_torch && !(network->random_ops.empty() && drawsByKeyOnly(*network))) {
    return fail(ErrorCode::kBusy,
                fmt::format("{}: draws random numbers of its own, which would change those of the "
                            "running computation; open it when that has ended",
                            path));
  }
  GraphRunner deterministic(deterministicGraph(*network->graph), "deterministic");
  // Probes a copy, so that predictions start from the state in the file.
  const torch::jit::Module probed =
      network->written_state.empty() ? module : withOwnState(module, *network->graph);
  auto probe = probeNetwork(probed, deterministic, metadata, stated, path);
  if (!probe) {
    return failWith(probe);
  }
  if (const auto& steps = probe->returned[probe->used].steps; !steps.empty()) {
    // Prepared again from the program, so that dropout used only by the other outputs disappears.
    auto of_one = prepareNetwork(module, path, steps, &*network);
    if (!of_one) {
      return failWith(of_one);
    }
    network = std::move(of_one);
  }
  network->items_per_pass = probe->items_per_pass;
  return ProbedNetwork{*std::move(network), *std::move(probe)};
}

std::vector<OutputTensor> describeOutputs(const Probe& probe) {
  std::vector<OutputTensor> outputs;
  for (std::size_t i = 0; i < probe.returned.size(); ++i) {
    const ReturnedTensor& tensor = probe.returned[i];
    outputs.push_back({tensor.name, tensor.value.sizes().vec(),
                       c10::toString(tensor.value.scalar_type()), i == probe.used});
  }
  return outputs;
}

/// Fills in the audit of the output, after which the network returns rows of two or more classes.
Status auditOutput(const torch::jit::Module& module, ProbedNetwork& probed, ModelMetadata& metadata,
                   const std::string& path, ModelAudit& audit) {
  Probe& probe = probed.probe;
  auto form = determineOutputForm(*probed.network.graph, probe, metadata, path);
  if (!form) {
    return failWith(form);
  }
  if (form->one_output || form->was_percent) {
    GraphRunner runner(deterministicGraph(*probed.network.graph), "probabilities",
                       probe.items_per_pass);
    probe.rows = runner.run(deterministicInputs(module, probe.inputs)).at(0).toTensor();
  }
  audit.outputs = describeOutputs(probe);
  audit.output = form->kind;
  audit.one_output = form->one_output;
  audit.run_notes.insert(audit.run_notes.end(), form->notes.begin(), form->notes.end());
  audit.number_type = probed.network.number_type;
  audit.classes = probe.rows.size(1);
  const bool names_fit = metadata.class_names.empty() ||
                         static_cast<std::int64_t>(metadata.class_names.size()) == audit.classes;
  if (!names_fit && metadata.classes_assumed) {
    metadata.notes.push_back(
        fmt::format("{}: names {} classes, but the network returns {}, so the names were not used",
                    metadata.source, metadata.class_names.size(), audit.classes));
    metadata.class_names.clear();
  } else if (!names_fit) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its metadata ({}) names {} classes, but the network returns {}; "
                            "name all classes in order",
                            path, metadata.source, metadata.class_names.size(),
                            form->one_output ? "one output, which distinguishes two classes"
                                             : std::to_string(audit.classes)));
  }
  return {};
}

/// What the file tells before it runs.
ModelAudit toldBy(const NetworkFile& file, const NetworkFormat& format) {
  ModelAudit audit;
  audit.format = format.name;
  audit.written_by = file.written_by;
  audit.run_notes = file.run_notes;
  for (const StatedTensor& input : file.inputs) {
    audit.inputs.push_back({input.name, input.shape, input.type});
  }
  return audit;
}

/// Everything that is known about the model once it has run: completes what the file tells.
Expected<ModelAudit> completeAudit(ModelAudit audit, const torch::jit::Module& module,
                                   ProbedNetwork& probed, FoundMetadata& found,
                                   const std::string& path, RunContext& context) {
  ModelMetadata& metadata = found.metadata;
  PreparedNetwork& network = probed.network;
  const Probe& probe = probed.probe;
  completePreprocessing(probe, metadata);
  audit.input_shape = probe.shape;
  if (Status settled = auditOutput(module, probed, metadata, path, audit); !settled) {
    return failWith(settled);
  }
  if (context.step("auditing", 2, kStages) == Step::kCancel) {
    return cancelled();
  }
  audit.items_per_pass = network.items_per_pass;
  GraphRunner deterministic(deterministicGraph(*network.graph), "deterministic",
                            network.items_per_pass);
  const Repeatability repeatability =
      checkRepeatability(module, network, deterministic, probe, audit.output);
  audit.unrepeatable = describe(repeatability, network);
  if (repeatability.is_random) {
    audit.batch.is_known = false;
  } else {
    audit.batch = checkBatchDependence(module, deterministic, probe, audit.output,
                                       network.batch_ops, repeatability.has_memory);
    if (audit.batch.single_item_fails && network.items_per_pass.isUnlimited()) {
      network.items_per_pass = itemsThatRun(module, deterministic, probe, repeatability.has_memory);
      GraphRunner limited(deterministic.graph(), "limited", network.items_per_pass);
      const BatchBehaviour filled = checkBatchDependence(
          module, limited, probe, audit.output, network.batch_ops, repeatability.has_memory);
      if (filled.depends_on_batch) {
        // Copies of an item would give it another result.
        network.items_per_pass = {};
        audit.batch.max_prob_difference = filled.max_prob_difference;
        audit.batch.reason = filled.reason + "; " + audit.batch.reason;
      } else {
        audit.batch = filled;
      }
      audit.items_per_pass = network.items_per_pass;
    }
  }
  if (context.step("auditing", 3, kStages) == Step::kCancel) {
    return cancelled();
  }
  if (!repeatability.is_random || drawsByKeyOnly(network)) {
    auditSiteRows(module, network, probe, audit.output, audit.batch);
  }
  if (repeatability.is_random && drawsByKeyOnly(network)) {
    audit.unrepeatable += "; only mc-dropout draws them by seed and item";
  }
  HeadNode head;
  audit.head = auditHead(module, network, probe, head);
  if (audit.one_output) {
    audit.head.reason = "its one output stands for two classes";
  }
  audit.dropout_sites = network.sites;
  audit.norm_layers = network.norms;
  for (const DropoutSite& site : network.sites) {
    if (site.refused.empty() && site.off.empty()) {
      audit.first_stochastic_site = site.name;
      break;
    }
  }
  audit.parameter_count = countParameters(module, network);
  addAuditNotes(metadata, network, probe, head, audit);
  if (const auto parts = guessedParts(probe, found.declares_values); !parts.empty()) {
    audit.notes.insert(audit.notes.begin(),
                       guessedPreprocessingNote(parts, metadata.preprocessing));
  }
  return audit;
}

/// Number of threads for the audit: the number of idle cores, but at most `max_threads`. Its passes
/// are short, and threads that wait for one without a core spin: on a busy machine two threads take
/// several times as long as one.
int threadsForAudit(int max_threads) {
  double load = 0.0;
  const double cores = processorCount();
  if (getloadavg(&load, 1) != 1) {
    return max_threads;
  }
  return std::clamp(static_cast<int>(std::lround(cores - load)), 1, std::max(1, max_threads));
}

/// Sets torch's number of threads during an audit, and to `wanted` afterwards.
class AuditThreads {
 public:
  explicit AuditThreads(int wanted) : wanted_(wanted) {
    at::set_num_threads(threadsForAudit(wanted));
  }
  ~AuditThreads() { at::set_num_threads(wanted_); }
  AuditThreads(const AuditThreads&) = delete;
  AuditThreads& operator=(const AuditThreads&) = delete;

 private:
  int wanted_;
};

}  // namespace

Expected<ModelPtr> loadModel(const std::string& path, const LoadModelOptions& options,
                             RunContext& context) {
  // The audit runs the network, after which torch would no longer find its CUDA libraries. A
  // failure matters only if a GPU is requested, and prepareCuda reports it then.
  static_cast<void>(loadCudaLibrary());
  // The profiling executor recompiles on the second call, which costs seconds for large networks.
  torch::jit::getProfilingMode() = false;
  std::optional<AuditThreads> many_threads;
  std::optional<SingleThreadScope> one_thread;
  if (options.shares_torch) {
    one_thread.emplace();
  } else {
    many_threads.emplace(context.threads);
  }
  if (context.step("loading", 0, kStages) == Step::kCancel) {
    return cancelled();
  }
  try {
    const NetworkFormat& format = formatOf(path);
    auto file = format.read(path);
    if (!file) {
      return failWith(file);
    }
    auto found = findModelMetadata(path, options.metadata_path, file->metadata_json);
    if (!found) {
      return failWith(found);
    }
    ModelMetadata& metadata = found->metadata;
    if (metadata.name.empty()) {
      metadata.name = std::filesystem::path(path).stem().string();
    }
    if (!options.output_key.empty()) {
      metadata.output_key = options.output_key;
    }
    if (context.step("auditing", 1, kStages) == Step::kCancel) {
      return cancelled();
    }
    auto impl = std::make_shared<Model::Impl>();
    impl->module = file->module;
    const std::uint64_t state = stateHash(impl->module);
    auto probed = prepareAndProbe(file->module, metadata, file->input, path, options.shares_torch);
    if (!probed) {
      return failWith(probed);
    }
    const torch::jit::Module audited = probed->network.written_state.empty()
                                           ? impl->module
                                           : withOwnState(impl->module, *probed->network.graph);
    auto findings = completeAudit(toldBy(*file, format), audited, *probed, *found, path, context);
    if (!findings) {
      return failWith(findings);
    }
    findings->notes.insert(findings->notes.end(), file->notes.begin(), file->notes.end());
    impl->network = std::move(probed->network);
    impl->hashes = computeNetworkHashes(state, impl->module, *impl->network.graph);
    return std::make_shared<const Model>(std::move(metadata), *std::move(findings), path,
                                         std::move(impl));
  } catch (const std::exception& exception) {
    const std::string reason = torchReason(exception);
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: the network cannot be examined ({}); {}", path, reason,
                    remedyOfPass(reason, "check the input size in its metadata",
                                 "check that it runs in Python, and report it with the file if it "
                                 "does")),
        exception.what());
  }
}

}  // namespace dubito
