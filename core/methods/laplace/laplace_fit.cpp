// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "core/data/overlap/overlap_check.h"
#include "core/laplace/link.h"
#include "core/laplace/posterior/evidence_search.h"
#include "core/laplace/posterior/factorise.h"
#include "core/laplace/posterior/posterior_file.h"
#include "core/methods/laplace/fit_check.h"
#include "core/methods/laplace/fitted_items_torch.h"
#include "core/methods/laplace/laplace_factors_torch.h"
#include "core/methods/laplace/laplace_options.h"
#include "core/methods/laplace/prior_search_items_torch.h"
#include "core/methods/method_data.h"
#include "core/models/network_hash.h"
#include "core/network/batch_size_torch.h"

namespace dubito {
namespace {

tl::unexpected<Error> noEvidence(const std::string& dataset, std::int64_t unlabelled,
                                 std::int64_t items) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {} of its {} items have no label, so the evidence cannot be "
                          "computed; use the prior auto-nll, mmc-drop=0.05 or a number",
                          dataset, unlabelled, items),
              {setting("prior")});
}

/// One call of MethodTraits<LaplaceOptions>::prepare.
class LaplaceFit {
 public:
  LaplaceFit(const Model& model, const LaplaceOptions& method, const MethodData& data,
             const PredictOptions& options, RunContext& context)
      : model_(model),
        method_(method),
        structure_(parseLaplaceStructure(method.structure)),
        data_(data),
        options_(options),
        context_(context) {}

  Expected<LaplaceOptions> run();

 private:
  [[nodiscard]] Status checkData() const;
  /// kOutOfMemory if the steps after the fit would not fit into memory: reported now rather than
  /// after minutes. Chooses the batch size.
  Status checkMemory();
  [[nodiscard]] bool isSaved() const {
    return !data_.posterior_path.empty() && std::filesystem::exists(data_.posterior_path);
  }
  Status findPosterior();
  Status readSaved();
  Status fit();
  [[nodiscard]] Status save();
  /// Hash and ids of the items of data.fit, computed without running the network.
  Status nameItems();
  Status checkSplits();
  Status choosePrior();
  Expected<ChosenPrior> tunePrior(const PriorRule& rule, double n);
  [[nodiscard]] PosteriorOrigin wantedOrigin() const;
  [[nodiscard]] std::string describe() const;
  /// Whether the prior is chosen by predicting items, and whether these are calibration items.
  [[nodiscard]] bool tunesPrior() const;
  [[nodiscard]] bool tunes() const { return data_.calibration && tunesPrior(); }
  [[nodiscard]] Status checkCalibration();

  const Model& model_;
  LaplaceOptions method_;
  LaplaceStructure structure_;
  const MethodData& data_;
  PredictOptions options_;
  RunContext& context_;
  std::optional<NetworkOnDevice> network_;
  SavedPosterior saved_;
  std::vector<std::string> notes_;
};

Status LaplaceFit::checkData() const {
  if (!data_.fit && !isSaved()) {
    return fail(ErrorCode::kInvalidArgument,
                data_.posterior_path.empty()
                    ? "laplace needs the model's training items; give them"
                    : fmt::format("{}: does not exist yet; give the training items to fit it",
                                  data_.posterior_path),
                {setting("fit")});
  }
  if (data_.calibration_run.run) {
    return fail(ErrorCode::kInvalidArgument,
                "laplace chooses its prior on items, not on their predictions; give a dataset, not "
                "a run",
                {setting("calibration")});
  }
  const PriorRule rule = method_.priorRule();
  if (rule.kind == PriorRule::Kind::kEvidence && data_.fit && !isSaved()) {
    const auto unlabelled = std::ranges::count(data_.fit->labels(), -1);
    if (unlabelled > 0) {
      return noEvidence(data_.fit->info().name, unlabelled, data_.fit->size());
    }
  }
  if (rule.kind == PriorRule::Kind::kNll && !data_.calibration) {
    return fail(ErrorCode::kInvalidArgument, "the prior auto-nll needs held-out items; give them",
                {setting("calibration")});
  }
  if (rule.kind == PriorRule::Kind::kMmcDrop && !data_.calibration && !data_.fit) {
    return fail(ErrorCode::kInvalidArgument,
                "the prior mmc-drop needs items to be chosen on; give them",
                {setting("calibration")});
  }
  return {};
}

Status LaplaceFit::checkMemory() {
  const DatasetPtr& items = data_.fit ? data_.fit : data_.calibration;
  if (!items) {
    return {};
  }
  const auto size = minOverRanks(
      batchSizeForFit(model_, *items, *network_, options_.batch, context_), context_.ranks.get());
  if (!size) {
    return failWith(size);
  }
  options_.batch = size->items;
  if (!size->note.empty()) {
    notes_.push_back(fmt::format("{}: {}", items->info().name, size->note));
  }
  const bool linearises = (!data_.evaluated.empty() && !method_.drawsWeights()) || tunesPrior();
  if (!method_.ofAllLayers() || !linearises) {
    return {};
  }
  const auto bytes = linearisedItemBytes(model_, *network_, *items, context_);
  return bytes ? checkLinearisedMemory(*bytes, 1, model_.audit().classes,
                                       context_.memory_budget_bytes)
               : Status(failWith(bytes));
}

PosteriorOrigin LaplaceFit::wantedOrigin() const {
  PosteriorOrigin origin;
  origin.network_hash = networkHash(model_);
  origin.preprocessing = model_.metadata().preprocessing.describe();
  return origin;
}

Status LaplaceFit::nameItems() {
  const auto items = forEachFittedBatch(
      model_, *data_.fit, fmt::format("{} the fitted items", kComparingStage), options_,
      c10::Device(c10::kCPU), context_, [](const FittedBatch&) { return Status(); });
  if (!items) {
    return failWith(items);
  }
  saved_.origin.dataset_hash = items->hash.hex();
  return {};
}

Status LaplaceFit::readSaved() {
  auto read = readPosterior(data_.posterior_path);
  if (!read) {
    return failWith(read);
  }
  PosteriorOrigin wanted = wantedOrigin();
  if (data_.fit) {
    if (Status named = nameItems(); !named) {
      return named;
    }
    wanted.dataset_hash = saved_.origin.dataset_hash;
  }
  if (Status same = checkOrigin(data_.posterior_path, read->origin, wanted); !same) {
    return same;
  }
  if (Status same = checkSettings(data_.posterior_path, read->posterior, method_); !same) {
    return same;
  }
  saved_ = *std::move(read);
  return {};
}

Status LaplaceFit::fit() {
  auto found = laplaceFactors(model_, *network_, method_, *data_.fit, options_, context_);
  if (!found) {
    return failWith(found);
  }
  const DatasetInfo& info = data_.fit->info();
  saved_.origin = wantedOrigin();
  saved_.origin.dataset_name = info.name;
  saved_.origin.dataset_spec = info.spec;
  saved_.origin.dataset_hash = found->items.hash.hex();
  saved_.origin.ids = Array<std::int64_t>::fromVector(std::move(found->items.ids));
  saved_.origin.notes = std::move(found->notes);
  if (found->items.unreadable > 0) {
    saved_.origin.notes.push_back(
        fmt::format("{} items of {} could not be read; the posterior was fitted without them",
                    found->items.unreadable, info.name));
  }
  auto posterior = factorise(found->factors, structure_, context_);
  if (!posterior) {
    return failWith(posterior);
  }
  saved_.posterior = *std::move(posterior);
  saved_.posterior.all_layers = method_.ofAllLayers();
  saved_.posterior.separate_bias = method_.separate_bias;
  return data_.posterior_path.empty() ? Status() : save();
}

Status LaplaceFit::save() {
  if (!context_.ranks) {
    return writePosterior(saved_.posterior, saved_.origin, data_.posterior_path, context_);
  }
  // All ranks agree on it.
  RankGroup& ranks = *context_.ranks;
  return agree(ranks, ranks.rank() == 0 ? writePosterior(saved_.posterior, saved_.origin,
                                                         data_.posterior_path, context_)
                                        : Status());
}

Status LaplaceFit::findPosterior() {
  bool read = isSaved();
  if (context_.ranks) {
    // All ranks must do what the first one decides.
    read = fromFirst(*context_.ranks, read ? "saved" : "") == "saved";
  }
  return read ? readSaved() : fit();
}

Status LaplaceFit::checkSplits() {
  const auto add = [this](const Expected<std::vector<std::string>>& notes) -> Status {
    if (!notes) {
      return failWith(notes);
    }
    notes_.insert(notes_.end(), notes->begin(), notes->end());
    return {};
  };
  if (data_.fit) {
    if (Status added = add(checkSplit(model_, "fit", *data_.fit, data_, options_, context_));
        !added) {
      return added;
    }
  } else {
    const PosteriorOrigin& origin = saved_.origin;
    for (const DatasetPtr& evaluated : data_.evaluated) {
      const SharedItems shared =
          sharedItems({origin.dataset_spec, origin.dataset_hash, origin.ids.values()},
                      {evaluated->info().spec, "", evaluated->ids()});
      if (Status added = add(checkSharedItems(shared, "fit", origin.dataset_name,
                                              evaluated->info().name, data_.allow_same_split));
          !added) {
        return added;
      }
    }
  }
  return tunes() ? checkCalibration() : Status();
}

bool LaplaceFit::tunesPrior() const {
  const PriorRule::Kind kind = method_.priorRule().kind;
  return kind == PriorRule::Kind::kNll || kind == PriorRule::Kind::kMmcDrop;
}

Status LaplaceFit::checkCalibration() {
  auto fair = checkSplit(model_, "calibration", *data_.calibration, data_, options_, context_);
  if (fair && data_.fit) {
    // Training items say nothing about how a prior performs on other items.
    MethodData with_fit = data_;
    with_fit.evaluated = {data_.fit};
    const auto apart =
        checkSplit(model_, "calibration", *data_.calibration, with_fit, options_, context_);
    if (!apart) {
      return failWith(apart);
    }
    fair->insert(fair->end(), apart->begin(), apart->end());
  }
  if (!fair) {
    return failWith(fair);
  }
  notes_.insert(notes_.end(), fair->begin(), fair->end());
  return {};
}

Expected<ChosenPrior> LaplaceFit::tunePrior(const PriorRule& rule, double n) {
  const Dataset& dataset = data_.calibration ? *data_.calibration : *data_.fit;
  if (!data_.calibration) {
    notes_.push_back(fmt::format(
        "The prior was chosen on the fitted items, {}, because there are no calibration data",
        dataset.info().name));
  }
  auto set = PriorSearchItems::of(model_, dataset, *network_, saved_.posterior, options_, context_);
  if (!set) {
    return failWith(set);
  }
  notes_.insert(notes_.end(), set->notes().begin(), set->notes().end());
  const bool by_nll = rule.kind == PriorRule::Kind::kNll;
  const ProbsAtTau probs_at = [&](double tau) {
    return set->probsAt({n, tau}, by_nll ? method_.link : kSamplingLink, method_.samples, context_);
  };
  return by_nll ? minimiseNll(probs_at, set->labels(), context_)
                : matchConfidenceDrop(probs_at, set->mapConfidence(), rule.value, context_);
}

Status LaplaceFit::choosePrior() {
  const LaplacePosterior& posterior = saved_.posterior;
  const double n = method_.n.value_or(static_cast<double>(posterior.items));
  const PriorRule rule = method_.priorRule();
  Expected<ChosenPrior> chosen = ChosenPrior{rule.value};
  if (rule.kind == PriorRule::Kind::kEvidence) {
    if (posterior.labelled_items < posterior.items) {
      return noEvidence(saved_.origin.dataset_name, posterior.items - posterior.labelled_items,
                        posterior.items);
    }
    context_.step("choosing the prior", 0, 0);
    chosen = maximiseEvidence(posterior, n);
  } else if (rule.kind != PriorRule::Kind::kValue) {
    chosen = tunePrior(rule, n);
  }
  if (!chosen) {
    return failWith(chosen);
  }
  notes_.insert(notes_.end(), chosen->notes.begin(), chosen->notes.end());
  double tau = chosen->tau;
  if (context_.ranks) {
    // CPUs may differ in the last digit of a search.
    tau = std::stod(fromFirst(*context_.ranks, fmt::format("{:.17g}", tau)));
  }
  if (method_.drawsWeights() && rule.kind != PriorRule::Kind::kValue &&
      rule.kind != PriorRule::Kind::kEvidence) {
    notes_.push_back("The prior was chosen with the linearised predictive, not with drawn weights");
  }
  method_.fitted = std::make_shared<const FittedLaplace>(
      FittedLaplace{std::move(saved_.posterior), {n, tau}, saved_.origin});
  return {};
}

std::string LaplaceFit::describe() const {
  const FittedLaplace& fitted = *method_.fitted;
  nlohmann::json object = {{"n", fitted.scale.n},
                           {"tau", fitted.scale.tau},
                           {"items", fitted.posterior.items},
                           {"parameters", fitted.posterior.parameters()},
                           {"layers", fitted.posterior.layers.size()},
                           {"fit_dataset", saved_.origin.dataset_name},
                           {"fit_hash", saved_.origin.dataset_hash}};
  if (fitted.posterior.labelled_items == fitted.posterior.items) {
    object["log_evidence"] = logEvidence(fitted.posterior, fitted.scale);
  }
  if (tunes()) {
    object["calibration_dataset"] = data_.calibration->info().name;
  }
  return jsonText(object, -1);
}

Expected<LaplaceOptions> LaplaceFit::run() {
  setUpTorch(context_);
  if (Status checked = checkData(); !checked) {
    return failWith(checked);
  }
  auto network = placeNetwork(model_, context_.device);
  if (!network) {
    return failWith(network);
  }
  network_ = *std::move(network);
  if (Status enough = checkMemory(); !enough) {
    return failWith(enough);
  }
  // Before the work if possible: some problems show only once the file is read.
  if (Status fair = data_.fit ? checkSplits() : Status(); !fair) {
    return failWith(fair);
  }
  if (Status found = findPosterior(); !found) {
    return failWith(found);
  }
  if (Status fair = data_.fit ? Status() : checkSplits(); !fair) {
    return failWith(fair);
  }
  if (Status chosen = choosePrior(); !chosen) {
    method_.fitted = std::make_shared<const FittedLaplace>(
        FittedLaplace{std::move(saved_.posterior), {}, saved_.origin});
    return tl::unexpected<Error>(savePosteriorOnFailure(chosen.error(), method_, data_, context_));
  }
  notes_.insert(notes_.begin(), saved_.origin.notes.begin(), saved_.origin.notes.end());
  if (data_.fit) {
    LaplaceOptions cheap = method_;
    cheap.weight_draws = std::min(cheap.weight_draws, LaplaceOptions().weight_draws);
    cheap.gauge = 0;
    const auto checked = fitCheckNote(model_, cheap, data_.fit, options_, context_);
    if (!checked) {
      return tl::unexpected<Error>(
          savePosteriorOnFailure(checked.error(), method_, data_, context_));
    }
    if (!checked->empty()) {
      notes_.push_back(*checked);
    }
  }
  method_.fit = std::make_shared<const MethodFit>(MethodFit{describe(), notes_});
  return method_;
}

}  // namespace

Expected<LaplaceOptions> MethodTraits<LaplaceOptions>::prepare(const LaplaceOptions& chosen,
                                                               const Model& model,
                                                               const MethodData& data,
                                                               const PredictOptions& predict,
                                                               RunContext& context) {
  return LaplaceFit(model, resolved(chosen, model.audit().classes), data, predict, context).run();
}

}  // namespace dubito
