// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "core/models/head_torch.h"
#include "core/models/model.h"
#include "core/models/prepare_torch.h"
#include "core/models/probe_torch.h"

namespace dubito {

/// Looks for the head and rebuilds the logits of the probe batch from its weights.
[[nodiscard]] Head auditHead(const torch::jit::Module& module, const PreparedNetwork& network,
                             const Probe& probe, HeadNode& found);

/// Refuses the sites whose rows are not items: masks follow items, so that items in reversed order
/// must give the same rows reversed. Refused sites leave the graph.
void auditSiteRows(const torch::jit::Module& module, PreparedNetwork& network, const Probe& probe,
                   OutputKind output);

/// Weights of the network, also those that freezing or quantisation made constants.
[[nodiscard]] std::int64_t countParameters(const torch::jit::Module& module,
                                           const PreparedNetwork& network);

/// Adds the findings in sentences to ModelAudit::notes, most important first, and to run_notes what
/// runs have to repeat.
void addAuditNotes(const ModelMetadata& metadata, const PreparedNetwork& network,
                   const Probe& probe, const HeadNode& head, ModelAudit& audit);

}  // namespace dubito
