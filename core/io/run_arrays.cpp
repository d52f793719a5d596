// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_arrays.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_text.h"
#include "core/io/run_check.h"

namespace dubito {

std::vector<std::pair<const char*, AnyArray>> arraysOf(const Run& run) {
  std::vector<std::pair<const char*, AnyArray>> arrays;
  const auto put = [&](const char* key, const auto& optional) {
    if (optional) {
      arrays.emplace_back(key, *optional);
    }
  };
  if (run.probs) {
    std::visit([&](const auto& probs) { arrays.emplace_back("probs", probs); }, *run.probs);
  }
  arrays.emplace_back("labels", run.labels);
  arrays.emplace_back("ids", run.ids);
  arrays.emplace_back("predictions", run.predictions);
  arrays.emplace_back("confidence", run.confidence);
  put("log_rest", run.log_rest);
  put("entropy", run.entropy);
  put("expected_entropy", run.expected_entropy);
  put("mutual_information", run.mutual_information);
  put("variation_ratio", run.variation_ratio);
  put("variance", run.variance);
  if (run.logits) {
    std::visit([&](const auto& logits) { arrays.emplace_back("logits", logits); }, *run.logits);
  }
  put("samples", run.samples);
  put("logit_mean", run.logit_mean);
  put("logit_var", run.logit_var);
  put("alpha", run.alpha);
  put("gauge_bridge", run.gauge_bridge);
  put("gauge_probit", run.gauge_probit);
  put("gauge_divergence", run.gauge_divergence);
  return arrays;
}

Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer) {
  if (const auto conflict = shapeConflict(run)) {
    throw std::invalid_argument("writeRun: " + *conflict);
  }
  for (const auto& [key, array] : arraysOf(run)) {
    if (Status added = writer.add(key, array); !added) {
      return added;
    }
  }
  if (Status added = writer.addText("meta", metaText(meta)); !added) {
    return added;
  }
  return writer.commit();
}

std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                     RunContext& context) {
  return [total_bytes, &context](std::uint64_t bytes) {
    const auto done = std::min(static_cast<std::int64_t>(bytes), total_bytes);
    return context.step("writing", done, total_bytes) == Step::kCancel ? Status(cancelled())
                                                                       : Status();
  };
}

std::string metaText(const nlohmann::json& meta) {
  return jsonText(meta, -1);
}

}  // namespace dubito
