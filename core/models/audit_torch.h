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

/// Finds the head and checks that its weights reproduce the logits of the probe batch.
[[nodiscard]] Head auditHead(const torch::jit::Module& module, const PreparedNetwork& network,
                             const Probe& probe, HeadNode& found);

/// Refuses sites whose rows are not items: masks follow items, so reversing the items must reverse
/// the rows. Refused sites are removed from the graph.
void auditSiteRows(const torch::jit::Module& module, PreparedNetwork& network, const Probe& probe,
                   OutputKind output);

/// Number of weights, including those that freezing or quantisation turned into constants.
[[nodiscard]] std::int64_t countParameters(const torch::jit::Module& module,
                                           const PreparedNetwork& network);

/// Adds the findings as sentences to ModelAudit::notes, most important first, and those that runs
/// must repeat to run_notes.
void addAuditNotes(const ModelMetadata& metadata, const PreparedNetwork& network,
                   const Probe& probe, const HeadNode& head, ModelAudit& audit);

}  // namespace dubito
