// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_identity.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "core/kernels/number_hash.h"

namespace dubito::cli {

std::string predictionHash(const Run& run) {
  NumberHash hash;
  const auto add = [&hash](const auto& reals) {
    for (const double value : reals.values()) {
      hash.add(std::bit_cast<std::uint64_t>(value));
    }
  };
  for (const std::int64_t id : run.ids.values()) {
    hash.add(static_cast<std::uint64_t>(id));
  }
  if (run.probs) {
    std::visit(add, *run.probs);
  } else {
    add(run.confidence);
  }
  return hash.hex();
}

nlohmann::json identityToJson(const std::string& path, const Run& run) {
  const RunMeta& meta = run.meta;
  nlohmann::json object{
      {"path", path}, {"seed", meta.seed}, {"prediction_hash", predictionHash(run)}};
  for (const auto& [key, value] : {std::pair("method", &meta.method),
                                   {"model", &meta.model_name},
                                   {"network_hash", &meta.network_hash},
                                   {"dataset", &meta.dataset_name},
                                   {"dataset_spec", &meta.dataset_spec},
                                   {"dataset_hash", &meta.dataset_hash}}) {
    if (!value->empty()) {
      object[key] = *value;
    }
  }
  return object;
}

}  // namespace dubito::cli
