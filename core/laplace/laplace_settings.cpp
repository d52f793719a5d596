// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/laplace_settings.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/laplace/link.h"

namespace dubito {
namespace {

constexpr std::array<std::pair<LaplaceStructure, const char*>, 4> kStructures = {{
    {LaplaceStructure::kFull, "full"},
    {LaplaceStructure::kKron, "kron"},
    {LaplaceStructure::kKronDamped, "kron-damped"},
    {LaplaceStructure::kDiagonal, "diag"},
}};
constexpr const char* kMmcDropPrefix = "mmc-drop=";

/// Parses the whole text as a finite number.
std::optional<double> numberOf(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end && std::isfinite(value)
             ? std::optional<double>(value)
             : std::nullopt;
}

/// The options to set for logits to be drawn; empty if they are drawn.
Requirement optionsForSamples(const LaplaceSettings& settings) {
  const bool drops = settings.prior.starts_with(kMmcDropPrefix);
  const Setting drop = setting("prior", fmt::format("{}SHARE", kMmcDropPrefix));
  return settings.drawsWeights() ? allUnless(drops, {drop})
                                 : oneUnless(drops || settings.link == kSamplingLink,
                                             {setting("link", kSamplingLink), drop});
}

}  // namespace

std::string toString(LaplaceStructure structure) {
  for (const auto& [value, name] : kStructures) {
    if (value == structure) {
      return name;
    }
  }
  throw std::invalid_argument("toString: invalid structure");
}

LaplaceStructure parseLaplaceStructure(const std::string& name) {
  for (const auto& [value, known] : kStructures) {
    if (name == known) {
      return value;
    }
  }
  throw std::invalid_argument("parseLaplaceStructure: unknown structure " + name);
}

Expected<PriorRule> parsePriorRule(const std::string& text) {
  if (text == "auto-evidence") {
    return PriorRule{PriorRule::Kind::kEvidence};
  }
  if (text == "auto-nll") {
    return PriorRule{PriorRule::Kind::kNll};
  }
  if (text.starts_with(kMmcDropPrefix)) {
    const auto share = numberOf(text.substr(std::string(kMmcDropPrefix).size()));
    if (share && *share > 0.0 && *share < 1.0) {
      return PriorRule{PriorRule::Kind::kMmcDrop, *share};
    }
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "the prior precision is '{}'; the share must be between 0 and 1, as in mmc-drop=0.05",
            text),
        {setting("prior")});
  }
  if (const auto tau = numberOf(text); tau && *tau > 0.0) {
    return PriorRule{PriorRule::Kind::kValue, *tau};
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("the prior precision is '{}'; use auto-evidence, auto-nll, mmc-drop=0.05 or a "
                  "number above 0",
                  text),
      {setting("prior")});
}

std::vector<Field> LaplaceSettings::fields() {
  return {
      {{.name = "layers",
        .label = "Layers",
        .help = "weights with a posterior: those of the last layer, or of all linear and "
                "convolutional layers",
        .choices = {"last", "all"}},
       &layers},
      {{.name = "structure",
        .label = "Structure",
        .help = "approximation of the curvature",
        .choices = {"kron", "kron-damped", "diag", "full"},
        .forms = {{.prefix = "kron", .label = "Kronecker"},
                  {.prefix = "kron-damped", .label = "Kronecker, damped"},
                  {.prefix = "diag", .label = "diagonal"},
                  {.prefix = "full", .label = "full"}}},
       &structure},
      {{.name = "prior",
        .label = "Prior precision",
        .help = "auto-evidence, auto-nll (on calibration data), mmc-drop=SHARE (mean confidence "
                "drops by that share) or a number",
        .forms = {{.prefix = "auto-evidence", .label = "by evidence"},
                  {.prefix = "auto-nll", .label = "by NLL"},
                  {.prefix = kMmcDropPrefix,
                   .label = "by confidence drop",
                   .number = 0.05,
                   .above = 0.0,
                   .below = 1.0},
                  {.prefix = "", .label = "number", .number = 1.0, .above = 0.0}}},
       &prior},
      {{.name = "tau",
        .label = "Tau",
        .help = "fixed prior precision; replaces the automatic choice",
        .min = 1e-12,
        .max = 1e12,
        .advanced = true},
       &tau},
      {{.name = "n",
        .label = "Effective items",
        .help = "number of items that the likelihood counts as; by default the number of items "
                "fitted on",
        .min = 0.0,
        .max = 1e15,
        .advanced = true},
       &n},
      {{.name = "separate_bias",
        .label = "Separate bias",
        .help = "treat the weights and the bias of a layer as independent; only for all layers and "
                "kron",
        .advanced = true},
       &separate_bias},
      {{.name = "predictive",
        .label = "Predictive",
        .help = "with all layers: linearise the network (Jacobians, a Gaussian over logits), or "
                "draw weights and run the network once per draw",
        .choices = {"linearised", "sampled"},
        .advanced = true},
       &predictive},
      {{.name = "weight_draws",
        .label = "Weight draws",
        .help = "number of weight draws if the predictive is sampled",
        .min = 1,
        .max = 1e6,
        .unmet_requirement = allUnless(drawsWeights(), {setting("predictive", "sampled")}),
        .advanced = true},
       &weight_draws},
      {{.name = "link",
        .label = "Link",
        .help = "how probabilities are computed from the Gaussian over logits; auto: "
                "bridge-centred, but mc for two classes, where the mean of the bridge is the "
                "network's own softmax for any variance",
        .choices = linkChoices(),
        .unmet_requirement = allUnless(!drawsWeights(), {setting("predictive", "linearised")})},
       &link},
      {{.name = "samples",
        .label = "Logit draws",
        .help = "logit draws for the link mc and for mmc-drop",
        .min = 1,
        .max = 1e6,
        .unmet_requirement = optionsForSamples(*this),
        .advanced = true},
       &samples},
      {{.name = "gauge",
        .label = "Honesty gauge",
        .help = "logit draws per item that bridge and probit are checked against; 0: none; by "
                "default 1000, for a sample of the items if there are many",
        .min = 0,
        .max = 1e6,
        .unmet_requirement = allUnless(!drawsWeights(), {setting("predictive", "linearised")}),
        .advanced = true},
       &gauge},
  };
}

Status LaplaceSettings::check() const {
  LaplaceSettings copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  if (const auto rule = parsePriorRule(prior); !rule) {
    return failWith(rule);
  }
  if (tau && prior != LaplaceSettings().prior) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("tau {} and the prior {} both set the prior precision; give only one",
                            *tau, prior),
                {setting("tau"), setting("prior")});
  }
  const LaplaceSettings defaults;
  const bool is_kron = structure == "kron" || structure == "kron-damped";
  if (ofAllLayers() && structure == "full") {
    return fail(ErrorCode::kInvalidArgument,
                "the structure full is only for the last layer; with all layers use kron, "
                "kron-damped or diag",
                {setting("structure", "kron"), setting("layers", "all")});
  }
  if (!ofAllLayers() && predictive != defaults.predictive) {
    return fail(ErrorCode::kInvalidArgument,
                "the sampled predictive draws the weights of all layers; select all layers",
                {setting("predictive", "sampled"), setting("layers", "all")});
  }
  if (separate_bias && !(ofAllLayers() && is_kron)) {
    return fail(ErrorCode::kInvalidArgument,
                "separate biases need all layers with the structure kron or kron-damped",
                {setting("separate_bias"), setting("layers", "all"),
                 setting("structure", "kron or kron-damped")});
  }
  if (drawsWeights() && link != defaults.link) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the sampled predictive averages its draws and has no Gaussian for "
                            "the link {}; leave out one of them",
                            link),
                {setting("predictive", "sampled"), setting("link", link)});
  }
  return {};
}

PriorRule LaplaceSettings::priorRule() const {
  return tau ? PriorRule{PriorRule::Kind::kValue, *tau} : parsePriorRule(prior).value();
}

}  // namespace dubito
