// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/link.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_mc.h"
#include "core/kernels/probit.h"
#include "core/measures/entropy.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerTask = 256;
constexpr const char* kAuto = "auto";

/// alphaFromLog of every row.
Array<double> alphaOf(const Array<float>& log_alpha, const RunContext& context) {
  Array<double> alpha = Array<double>::zeros(log_alpha.shape());
  context.parallelFor(log_alpha.extent(0), kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const float> row = log_alpha.row(i);
      std::ranges::copy(alphaFromLog(std::vector<double>(row.begin(), row.end())),
                        alpha.mutableRow(i).begin());
    }
  });
  return alpha;
}

LinkedPredictions applyMc(const LinkTask& task) {
  LogitNormalSummary summary =
      logitNormalMc(task.gaussians, task.ids, task.samples, task.seed, task.context);
  return {std::move(summary.mean_probs), std::move(summary.entropy), std::move(summary.log_rest),
          std::move(summary.expected_entropy), std::move(summary.mutual_information)};
}

LinkedPredictions applyProbit(const LinkTask& task) {
  Array<double> probs = probitProbs(task.gaussians, task.context);
  LinkedPredictions linked;
  linked.entropy = Array<double>::zeros({probs.extent(0)});
  linked.log_rest = Array<double>::zeros({probs.extent(0)});
  task.context.parallelFor(
      probs.extent(0), kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
        EntropyCalculator().ofRows(probs.row(begin).data(), end - begin, probs.extent(1),
                                   linked.entropy.mutableData() + begin);
        for (std::int64_t i = begin; i < end; ++i) {
          linked.log_rest.mutableData()[i] = logRest(probs.row(i), argmax(probs.row(i)));
        }
      });
  linked.probs = std::move(probs);
  return linked;
}

template <BridgeVariant kVariant>
LinkedPredictions applyBridge(const LinkTask& task) {
  const Array<float> log_alpha = laplaceBridge(task.gaussians, kVariant, task.context);
  DirichletMoments moments = dirichletMoments(log_alpha, task.context);
  return {std::move(moments.mean_probs),         std::move(moments.entropy),
          std::move(moments.log_rest),           std::move(moments.expected_entropy),
          std::move(moments.mutual_information), alphaOf(log_alpha, task.context)};
}

template <BridgeVariant kVariant>
LinkInfo bridge(std::string help) {
  return {.name = std::string(bridgeVariantName(kVariant)),
          .help = std::move(help),
          .uses_variance_for_two_classes = kVariant != BridgeVariant::kCentred,
          .splits_entropy = true,
          .gives_alpha = true,
          .reads_covariance = true,
          .reads_covariance_of_two_classes = true,
          .apply = applyBridge<kVariant>};
}

}  // namespace

const std::vector<LinkInfo>& allLinks() {
  static const std::vector<LinkInfo> links = {
      bridge<BridgeVariant::kCentred>("Laplace bridge of the centred logits"),
      {.name = kSamplingLink,
       .help = "softmax averaged over draws of logits",
       .uses_variance_for_two_classes = true,
       .splits_entropy = true,
       .gives_alpha = false,
       .reads_covariance = true,
       .reads_covariance_of_two_classes = true,
       .apply = applyMc},
      {.name = "probit",
       .help = "softmax of the mean logits, each scaled by its variance; for two classes, the "
               "sigmoid of their difference, scaled by its variance",
       .uses_variance_for_two_classes = true,
       .splits_entropy = false,
       .gives_alpha = false,
       .reads_covariance = false,
       .reads_covariance_of_two_classes = true,
       .apply = applyProbit},
      bridge<BridgeVariant::kConditioned>("Laplace bridge of the logits conditioned on a zero sum"),
      bridge<BridgeVariant::kNormalised>(
          "Laplace bridge of the logits conditioned on a zero sum, with normalised variances"),
      bridge<BridgeVariant::kRaw>("Laplace bridge of the raw logits")};
  return links;
}

const LinkInfo* findLink(std::string_view name) {
  const auto found = std::ranges::find(allLinks(), name, &LinkInfo::name);
  return found == allLinks().end() ? nullptr : &*found;
}

const std::vector<std::string>& linkNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LinkInfo& link : allLinks()) {
      all.push_back(link.name);
    }
    return all;
  }();
  return names;
}

const std::vector<std::string>& linkChoices() {
  static const std::vector<std::string> choices = [] {
    std::vector<std::string> all = {kAuto};
    all.insert(all.end(), linkNames().begin(), linkNames().end());
    return all;
  }();
  return choices;
}

std::string resolveLink(const std::string& choice, std::int64_t classes) {
  if (choice != kAuto) {
    return choice;
  }
  return std::ranges::find_if(allLinks(),
                              [&](const LinkInfo& link) {
                                return classes != 2 || link.uses_variance_for_two_classes;
                              })
      ->name;
}

LinkedPredictions applyLink(const std::string& link, const LogitGaussians& gaussians,
                            std::span<const std::int64_t> ids, std::int64_t samples,
                            std::uint64_t seed, const RunContext& context) {
  const LinkInfo* const info = findLink(link);
  if (info == nullptr) {
    throw std::invalid_argument("applyLink: unknown link " + link);
  }
  return info->apply({gaussians, ids, samples, seed, context});
}

bool readsCovariance(const LinkInfo& link, std::int64_t classes) {
  return classes == 2 ? link.reads_covariance_of_two_classes : link.reads_covariance;
}

bool linkSplitsEntropy(const std::string& link) {
  const LinkInfo* const info = findLink(link);
  return info != nullptr && info->splits_entropy;
}

bool linkGivesAlpha(const std::string& link) {
  const LinkInfo* const info = findLink(link);
  return info != nullptr && info->gives_alpha;
}

}  // namespace dubito
