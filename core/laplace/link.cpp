// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/link.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_mc.h"
#include "core/kernels/probit.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsAPart = 256;
constexpr const char* kAuto = "auto";

/// alphaFromLog of every row.
Array<double> alphaOf(const Array<float>& log_alpha, const RunContext& context) {
  Array<double> alpha = Array<double>::zeros(log_alpha.shape());
  context.parallelFor(log_alpha.extent(0), kRowsAPart, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const float> row = log_alpha.row(i);
      std::ranges::copy(alphaFromLog(std::vector<double>(row.begin(), row.end())),
                        alpha.mutableRow(i).begin());
    }
  });
  return alpha;
}

}  // namespace

const std::vector<std::string>& linkNames() {
  static const std::vector<std::string> names = {"bridge-centred", "mc",          "probit",
                                                 "bridge",         "bridge-norm", "bridge-raw"};
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

std::string linkFor(const std::string& choice, std::int64_t classes) {
  if (choice != kAuto) {
    return choice;
  }
  return classes == 2 ? "mc" : std::string(bridgeVariantName(BridgeVariant::kCentred));
}

LinkedPredictions applyLink(const std::string& link, const LogitGaussians& gaussians,
                            std::span<const std::int64_t> ids, std::int64_t samples,
                            std::uint64_t seed, const RunContext& context) {
  if (link == "mc") {
    LogitNormalSummary summary = logitNormalMc(gaussians, ids, samples, seed, context);
    return {std::move(summary.mean_probs), std::move(summary.entropy), std::move(summary.log_rest),
            std::move(summary.expected_entropy), std::move(summary.mutual_information)};
  }
  if (link == "probit") {
    Array<double> probs = probitProbs(gaussians, context);
    LinkedPredictions linked;
    linked.entropy = Array<double>::zeros({probs.extent(0)});
    linked.log_rest = Array<double>::zeros({probs.extent(0)});
    context.parallelFor(probs.extent(0), kRowsAPart, [&](std::int64_t begin, std::int64_t end) {
      EntropyCalculator entropy;
      for (std::int64_t i = begin; i < end; ++i) {
        linked.entropy.mutableData()[i] = entropy(probs.row(i));
        linked.log_rest.mutableData()[i] = logRest(probs.row(i), argmax(probs.row(i)));
      }
    });
    linked.probs = std::move(probs);
    return linked;
  }
  const auto variant = bridgeVariantFromName(link);
  if (!variant) {
    throw std::invalid_argument("applyLink: no link is called " + link);
  }
  const Array<float> log_alpha = laplaceBridge(gaussians, *variant, context);
  DirichletMoments moments = dirichletMoments(log_alpha, context);
  return {std::move(moments.mean_probs),         std::move(moments.entropy),
          std::move(moments.log_rest),           std::move(moments.expected_entropy),
          std::move(moments.mutual_information), alphaOf(log_alpha, context)};
}

bool linkSplitsEntropy(const std::string& link) {
  return link != "probit";
}

bool linkGivesAlpha(const std::string& link) {
  return bridgeVariantFromName(link).has_value();
}

}  // namespace dubito
