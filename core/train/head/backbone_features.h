// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/row_buffer.h"
#include "core/models/model.h"

namespace dubito {

struct BackboneFeatureOptions {
  std::int64_t batch = 500;          ///< items per pass
  std::string folder = {};           ///< FeatureCache; empty: features are neither read nor kept
  std::int64_t max_cache_bytes = 0;  ///< of the folder
};

/// Where features are collected, in memory or, if they are large, in the folder: those that are
/// computed, those that are returned and those of a split exist at the same time.
[[nodiscard]] RowPlace featurePlace(const BackboneFeatureOptions& options,
                                    const RunContext& context);

/// Features of items: the inputs of a network's last linear layer, without dropout.
struct BackboneFeatures {
  std::vector<std::int64_t> items;  ///< [N] positions in the dataset, ascending
  Array<float> features;            ///< [N, Q]; mapped from a file if they are large
  std::int64_t from_cache = 0;      ///< items whose features were kept from an earlier call
  std::int64_t unreadable = 0;
  std::vector<std::string> notes;
};

/// Runs the items at `positions` (ascending) through the network, except those whose features are
/// kept in the folder: of the same network, preprocessing and data, whose files have not changed
/// since (ItemStamps). Newly computed ones are added to those kept. Nothing is kept of networks
/// whose results depend on the batch or on chance. kUnsupported, with the reason,
/// if the last layer cannot be used; kWriteFailed if features that do not fit into the context's
/// budget cannot be put into a file instead (in the folder, or that for temporary files);
/// kMalformed if no item can be read; errors of HeadNetwork::run and of loading batches;
/// kCancelled.
[[nodiscard]] Expected<BackboneFeatures> backboneFeatures(
    const Model& model, const Dataset& dataset, const std::vector<std::int64_t>& positions,
    const BackboneFeatureOptions& options, RunContext& context);

}  // namespace dubito
