// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/laplace_options.h"

#include <fmt/format.h>

#include <utility>

#include "core/laplace/link.h"
#include "core/laplace/posterior/posterior_file.h"
#include "core/methods/saved_fit.h"

namespace dubito {

LaplaceOptions MethodTraits<LaplaceOptions>::resolved(LaplaceOptions options,
                                                      std::int64_t classes) {
  if (!options.drawsWeights()) {
    options.link = resolveLink(options.link, classes);
  }
  return options;
}

MethodNeeds MethodTraits<LaplaceOptions>::needs(const LaplaceOptions& chosen) {
  MethodNeeds needs = kNeeds;
  // Without calibration items, mmc-drop uses the fitted ones.
  needs.calibration = chosen.check() && chosen.priorRule().kind == PriorRule::Kind::kNll;
  return needs;
}

MethodNeeds MethodTraits<LaplaceOptions>::used(const LaplaceOptions& chosen) {
  const PriorRule::Kind kind = chosen.priorRule().kind;
  MethodNeeds used = kNeeds;
  used.calibration = kind == PriorRule::Kind::kNll || kind == PriorRule::Kind::kMmcDrop;
  return used;
}

bool MethodTraits<LaplaceOptions>::restore(LaplaceOptions& options, const SavedFit& saved) {
  if (saved.posterior_path.empty() || !saved.json.is_object()) {
    return false;
  }
  const LaplaceScale scale{saved.number("n"), saved.number("tau")};
  if (!(scale.n >= 0.0) || !(scale.tau > 0.0)) {
    return false;
  }
  const nlohmann::json items = saved.json.value("fit_hash", nlohmann::json());
  PosteriorOrigin wanted;
  wanted.network_hash = saved.meta.network_hash;
  wanted.preprocessing = saved.meta.preprocessing;
  wanted.dataset_hash = items.is_string() ? items.get<std::string>() : "";
  auto read = readPosterior(saved.posterior_path);
  // Without a hash, any items would match.
  if (!read || wanted.dataset_hash.empty() ||
      !checkOrigin(saved.posterior_path, read->origin, wanted) ||
      !checkSettings(saved.posterior_path, read->posterior, options)) {
    return false;
  }
  options.fit = saved.report(read->origin.notes);
  options.fitted = std::make_shared<const FittedLaplace>(
      FittedLaplace{std::move(read->posterior), scale, std::move(read->origin)});
  return true;
}

std::string MethodTraits<LaplaceOptions>::posteriorKey(const LaplaceOptions& chosen) {
  return fmt::format("{}\n{}\n{}", chosen.layers, chosen.structure, chosen.separate_bias);
}

RunShape MethodTraits<LaplaceOptions>::shape(const LaplaceOptions& chosen, const Model& model,
                                             bool keeps_samples) {
  if (chosen.drawsWeights()) {
    return shapeOfPasses(model, chosen.weight_draws, keeps_samples);
  }
  RunShape shape{.classes = model.audit().classes};
  const std::string link = resolveLink(chosen.link, shape.classes);
  shape.splits_entropy = linkSplitsEntropy(link);
  shape.gaussians = true;
  shape.alpha = linkGivesAlpha(link);
  shape.gauge = chosen.gauge != 0;
  return shape;
}

}  // namespace dubito
