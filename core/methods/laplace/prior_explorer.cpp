// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/prior_explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/run_summary.h"
#include "core/laplace/link.h"
#include "core/methods/laplace/prior_search_items_torch.h"

namespace dubito {

struct PriorExplorer::Parts {
  ModelPtr model;
  LaplaceOptions method;  ///< keeps alive the posterior that the items refer to
  PriorSearchItems set;
};

LaplaceOptions withPrior(const LaplaceOptions& method, double tau) {
  if (!method.fitted) {
    throw std::invalid_argument("withPrior: the method has not been fitted");
  }
  LaplaceOptions other = method;
  FittedLaplace fitted = *method.fitted;
  fitted.scale.tau = tau;
  nlohmann::json object = nlohmann::json::object();
  MethodFit fit = method.fit ? *method.fit : MethodFit();
  object = nlohmann::json::parse(fit.json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    object = nlohmann::json::object();
  }
  object["tau"] = tau;
  if (object.contains("log_evidence")) {
    object["log_evidence"] = logEvidence(fitted.posterior, fitted.scale);
  }
  fit.json = jsonText(object, -1);
  other.prior = LaplaceSettings().prior;  // only one of the two may be set
  other.tau = tau;
  other.fitted = std::make_shared<const FittedLaplace>(std::move(fitted));
  other.fit = std::make_shared<const MethodFit>(std::move(fit));
  return other;
}

PriorExplorer::PriorExplorer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PriorExplorer::~PriorExplorer() = default;

Expected<std::shared_ptr<PriorExplorer>> PriorExplorer::of(
    const ModelPtr& model, const Dataset& dataset, const std::vector<std::int64_t>& indices,
    const LaplaceOptions& method, const PredictOptions& options, RunContext& context) {
  if (!method.fitted || method.drawsWeights()) {
    throw std::invalid_argument("PriorExplorer: needs a fitted method with Gaussians over logits");
  }
  setUpTorch(context);
  const auto network = placeNetwork(*model, context.device);
  if (!network) {
    return failWith(network);
  }
  const std::size_t wanted = indices.size();
  auto set = PriorSearchItems::ofItems(*model, dataset, *network, method.fitted->posterior, indices,
                                       options, context);
  if (!set) {
    return failWith(set);
  }
  if (set->ids().size() != wanted) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} of {} items can no longer be read; check the files",
                            dataset.info().name, wanted - set->ids().size(), wanted));
  }
  return std::shared_ptr<PriorExplorer>(
      new PriorExplorer(std::make_unique<Parts>(Parts{model, method, *std::move(set)})));
}

Expected<Run> PriorExplorer::runAt(const Run& items, double tau, const std::string& link,
                                   RunContext& context) {
  if (findLink(link) == nullptr) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("unknown link {}", link));
  }
  if (!std::ranges::equal(items.ids.values(), parts_->set.ids())) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the items differ from those run through the network",
                            items.meta.dataset_name));
  }
  context.seed = items.meta.seed;
  const LaplaceOptions& method = parts_->method;
  auto probs = parts_->set.probsAt({method.fitted->scale.n, tau}, link, method.samples, context);
  if (!probs) {
    return failWith(probs);
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  Run run;
  run.labels = items.labels;
  run.ids = items.ids;
  run.meta = items.meta;
  run.probs = *std::move(probs);
  fillFromProbs(run, context);
  return run;
}

Expected<PriorLandscape> PriorExplorer::landscape(const Run& items, const std::string& link,
                                                  RunContext& context) {
  context.seed = items.meta.seed;
  const FittedLaplace& fitted = *parts_->method.fitted;
  const ProbsAtTau probs_at = [&](double tau) {
    return parts_->set.probsAt({fitted.scale.n, tau}, link, parts_->method.samples, context);
  };
  return priorLandscape(fitted.posterior, fitted.scale.n, probs_at, items.labels.values(), context);
}

}  // namespace dubito
