// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"
#include "core/models/audit_torch.h"
#include "core/models/batch_operators_torch.h"
#include "core/models/program/network_format.h"

namespace dubito {
namespace {

std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void noteRepeatability(const ModelAudit& audit, const PreparedNetwork& network,
                       std::vector<std::string>& notes) {
  if (!audit.unrepeatable.empty()) {
    notes.push_back(audit.unrepeatable);
    return;
  }
  if (!network.random_ops.empty()) {
    notes.push_back(
        fmt::format("Operators that draw random numbers ({}) did not run on a probe batch, or did "
                    "not change its results",
                    fmt::join(network.random_ops, ", ")));
  }
  if (!network.written_state.empty()) {
    notes.push_back(
        fmt::format("The network changes its own state at every call ({}), which did not change "
                    "the results of a probe batch",
                    fmt::join(network.written_state, ", ")));
  }
}

void noteDropout(const ModelAudit& audit, std::vector<std::string>& notes) {
  if (std::ranges::any_of(audit.dropout_sites, [](const DropoutSite& site) {
        return site.refused.empty() && site.off.empty();
      })) {
    return;
  }
  const std::string what = audit.dropout_sites.empty()
                               ? "The network has no dropout (freezing and exporting may remove it)"
                               : "None of the network's dropout sites is on by default";
  notes.push_back(
      what + (audit.head.found
                  ? "; mc-dropout inserts a site before its head"
                  : fmt::format("; mc-dropout cannot insert one because {}", audit.head.reason)));
}

void noteSites(const ModelAudit& audit, std::vector<std::string>& notes) {
  for (const DropoutSite& site : audit.dropout_sites) {
    if (!site.refused.empty()) {
      notes.push_back(fmt::format(
          "Dropout site {} ({}, {}) is off: {}{}", site.site, site.name, site.op, site.refused,
          site.is_used ? "; mc-dropout refuses to leave it off unless told to" : ""));
    } else if (!site.off.empty()) {
      notes.push_back(fmt::format("Dropout site {} ({}, {}) is off unless chosen: {}", site.site,
                                  site.name, site.op, site.off));
    } else if (site.is_noise) {
      notes.push_back(
          fmt::format("Site {} ({}, {}) draws random numbers {}; mc-dropout draws them "
                      "by seed and item",
                      site.site, site.name, site.op,
                      site.mode == "always on" ? "in every pass" : "in training"));
    } else if (site.drop_rate == 0.0) {
      notes.push_back(fmt::format(
          "Dropout site {} ({}) has drop rate 0 and drops nothing unless a rate is given",
          site.site, site.name));
    }
  }
}

/// Dropout that the program as saved applies in every pass, and that is off here without draws.
void noteConstantDropout(const ModelAudit& audit, std::vector<std::string>& notes) {
  const auto count = std::ranges::count_if(audit.dropout_sites, [](const DropoutSite& site) {
    return site.mode == "always on" && !site.is_noise && drawsByDefault(site);
  });
  if (count > 0) {
    notes.push_back(
        fmt::format("{} on in every pass of the program as it was saved (in training mode, or with "
                    "training=True); here mc-dropout draws, and map does not",
                    plural(count, "dropout site is", "dropout sites are")));
  }
}

/// Dropout that was lost, or that cannot be seen.
void noteLostDropout(const PreparedNetwork& network, std::string_view how_to_keep,
                     std::vector<std::string>& notes) {
  if (!network.without_dropout.empty()) {
    std::vector<std::string> ops = network.without_dropout;
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    notes.push_back(fmt::format(
        "{} without a drop rate ({}): a network traced or exported in eval mode loses the dropout "
        "of its attention; {}",
        plural(static_cast<std::int64_t>(network.without_dropout.size()), "attention operator is",
               "attention operators are"),
        fmt::join(ops, ", "), how_to_keep));
  }
  if (!network.hidden_code.empty()) {
    notes.push_back(fmt::format(
        "The network runs code that is not in its graph ({}); dropout inside it cannot be found",
        fmt::join(network.hidden_code, ", ")));
  }
}

void noteNorms(const ModelAudit& audit, std::vector<std::string>& notes) {
  const auto training =
      std::count_if(audit.norm_layers.begin(), audit.norm_layers.end(),
                    [](const NormLayer& layer) { return layer.mode == "always on"; });
  if (training > 0) {
    notes.push_back(
        fmt::format("{} saved in training mode and would overwrite stored statistics on every "
                    "pass; inference mode is used instead",
                    plural(training, "normalisation layer was", "normalisation layers were")));
  }
}

void noteChosenOutput(const ModelMetadata& metadata, ModelAudit& audit) {
  if (audit.outputs.size() < 2) {
    return;
  }
  const auto used = std::ranges::find_if(audit.outputs, &OutputTensor::used);
  audit.run_notes.push_back(fmt::format("The network returns {} tensors; the class scores are {}{}",
                                        audit.outputs.size(), inQuotes(used->name),
                                        metadata.output_key.empty()
                                            ? ", the only candidate; the metadata can name another"
                                            : ", as the metadata says"));
}

void noteNumberType(ModelAudit& audit, const PreparedNetwork& network) {
  if (!network.lower_precision.empty()) {
    audit.run_notes.push_back(
        fmt::format("The network's program computes parts of it in {}, and so does this one: "
                    "results are as precise as that",
                    network.lower_precision));
  }
  if (network.is_promoted) {
    audit.run_notes.push_back(fmt::format(
        "The network is stored in half precision ({}) and computed in float32, which represents "
        "its weights exactly; in half precision results would differ by rounding",
        audit.number_type == "Half" ? "float16" : "bfloat16"));
  }
}

void noteItemsPerPass(ModelAudit& audit) {
  const ItemsPerPass& items = audit.items_per_pass;
  if (items.isUnlimited()) {
    return;
  }
  audit.run_notes.push_back(
      items.isFixed()
          ? fmt::format("The network's program runs on batches of exactly {} only, like the "
                        "example it was made with: larger batches run in several passes, smaller "
                        "ones are filled up, which is slower; {}",
                        items.min, formatNamed(audit.format).how_to_free_batch)
          : fmt::format("The network's program fails on fewer than {} items: a single item runs "
                        "with a copy of itself",
                        items.min));
}

void noteDevices(const PreparedNetwork& network, ModelAudit& audit) {
  if (!network.named_devices.empty()) {
    audit.run_notes.push_back(
        fmt::format("The network's program names {}; the device that the network runs on took its "
                    "place",
                    fmt::join(network.named_devices, ", ")));
  }
}

void noteBatchBranch(const PreparedNetwork& network, ModelAudit& audit) {
  if (hasBatchBranch(network.batch_ops) && audit.batch.is_known &&
      !audit.batch.affects(/*with_dropout=*/true)) {
    audit.run_notes.emplace_back(
        "The network's program branches on a value of the whole batch: the results for an item may "
        "depend on the items that share its batch, although those of a probe batch did not; "
        "a batch of 1 makes them independent");
  }
}

void noteBatch(const ModelAudit& audit, std::vector<std::string>& notes) {
  const BatchBehaviour& batch = audit.batch;
  const std::string remedy = batch.single_item_fails ? "" : "; a batch of 1 makes them independent";
  if (batch.depends_on_batch) {
    notes.push_back(fmt::format(
        "Results depend on the items that share a batch (largest |dp| {:.2g} in a batch of {}; "
        "suspected cause: {}){}",
        batch.max_prob_difference, kProbeItems, batch.reason, remedy));
  } else if (batch.draws_depend_on_batch) {
    notes.push_back(fmt::format(
        "With dropout on, results depend on the items that share a batch ({}suspected cause: {}): "
        "the same seed gives other draws with another batch size{}",
        std::isnan(batch.max_draw_difference)
            ? ""
            : fmt::format("largest |dp| of a draw {:.2g}; ", batch.max_draw_difference),
        batch.reason, remedy));
  }
}

void noteTraining(const PreparedNetwork& network, ModelAudit& audit) {
  if (network.changed_by_training.empty() ||
      std::ranges::none_of(audit.dropout_sites, &drawsByDefault)) {
    return;
  }
  audit.run_notes.push_back(fmt::format(
      "Training mode also changes other parts of the network than those that draw ({}); "
      "they stay as in inference",
      fmt::join(network.changed_by_training, ", ")));
}

void noteInput(const ModelAudit& audit, const ModelMetadata& metadata, const Probe& probe,
               std::vector<std::string>& notes) {
  if (probe.guessed) {
    notes.push_back(fmt::format(
        "The metadata ({}) gives no input size: {} was found by trial, and the input is taken as "
        "{}; set \"input_size\" in a metadata file to change that",
        metadata.source, fmt::join(audit.input_shape, " x "), metadata.preprocessing.describe()));
  }
  if (metadata.class_names.empty()) {
    notes.push_back("The classes have no names; add \"classes\" to a metadata file");
  }
}

void noteOutput(const ModelAudit& audit, const ModelMetadata& metadata, const Probe& probe,
                const HeadNode& head, std::vector<std::string>& notes) {
  if (at::isnan(probe.rows).any().item().toBool()) {
    notes.emplace_back(
        "The network returned NaN for synthetic items; runs stop at the first item for which it "
        "does");
  }
  if (!metadata.output_declared && audit.output == OutputKind::kProbabilities) {
    notes.push_back(
        "The rows of a probe batch are probabilities, so no softmax is applied to the output");
  }
  if (metadata.output_declared && metadata.output == OutputKind::kLogits && head.softmax_after &&
      !audit.one_output) {
    notes.push_back(
        "The metadata calls the output logits, but the network ends in a softmax; a second one "
        "would flatten the probabilities");
  }
  if (head.log_after) {
    notes.push_back(
        "The outputs are log-probabilities, which the softmax turns into probabilities");
  }
}

}  // namespace

void addAuditNotes(const ModelMetadata& metadata, const PreparedNetwork& network,
                   const Probe& probe, const HeadNode& head, ModelAudit& audit) {
  noteChosenOutput(metadata, audit);
  noteNumberType(audit, network);
  noteTraining(network, audit);
  noteItemsPerPass(audit);
  noteDevices(network, audit);
  noteBatchBranch(network, audit);
  std::vector<std::string> notes = audit.run_notes;
  noteRepeatability(audit, network, notes);
  noteDropout(audit, notes);
  noteBatch(audit, notes);
  noteSites(audit, notes);
  noteConstantDropout(audit, notes);
  noteLostDropout(network, formatNamed(audit.format).how_to_keep_dropout, notes);
  noteNorms(audit, notes);
  noteOutput(audit, metadata, probe, head, notes);
  if (!audit.head.added.empty()) {
    notes.push_back(
        fmt::format("The logits are W h of the head plus {}, which a posterior of the last layer "
                    "treats as certain",
                    audit.head.added));
  }
  if (!audit.head.found) {
    notes.push_back(fmt::format("The head was not found: {}", audit.head.reason));
  }
  noteInput(audit, metadata, probe, notes);
  notes.insert(notes.end(), metadata.notes.begin(), metadata.notes.end());
  audit.notes.assign(notes.begin(), notes.end());
}

}  // namespace dubito
