// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/posterior.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/laplace/posterior/factorise.h"
#include "core/laplace/posterior/posterior_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {
namespace {

struct EigenBasis {
  Array<double> vectors;
  Array<double> values;
};

/// Eigendecomposition of a symmetric, positive semi-definite matrix.
Expected<EigenBasis> eigenBasis(const Array<double>& matrix, const std::string& name) {
  const at::Tensor values = tensorView(matrix);
  if (!at::isfinite(values).all().item().toBool()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("the curvature of layer {} is not finite; check the weights and "
                            "the preprocessing",
                            name));
  }
  try {
    auto [eigenvalues, eigenvectors] = at::linalg_eigh((values + values.t()) * 0.5, "L");
    return EigenBasis{arrayOf<double>(eigenvectors), arrayOf<double>(eigenvalues.clamp_min(0.0))};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("the eigenvalues of the curvature of layer {} could not be computed; "
                            "use the structure diag",
                            name),
                {setting("structure", "diag")}, exception.what());
  }
}

Status factoriseLayer(const LayerFactors& layer, LayerPosterior& result) {
  auto inputs = eigenBasis(layer.input_products, layer.name);
  if (!inputs) {
    return failWith(inputs);
  }
  auto outputs = eigenBasis(layer.output_products, layer.name);
  if (!outputs) {
    return failWith(outputs);
  }
  result.input_basis = std::move(inputs->vectors);
  result.input_values = std::move(inputs->values);
  result.output_basis = std::move(outputs->vectors);
  result.output_values = std::move(outputs->values);
  return {};
}

}  // namespace

std::int64_t LaplacePosterior::parameters() const {
  std::int64_t count = 0;
  for (const LayerPosterior& layer : layers) {
    count += layer.parameters();
  }
  return count;
}

double LaplacePosterior::squaredNorm() const {
  double sum = 0.0;
  for (const LayerPosterior& layer : layers) {
    sum += layer.squared_norm;
  }
  return sum;
}

Expected<LaplacePosterior> makePosterior(const LaplaceFactors& factors,
                                         LaplaceStructure structure) {
  RunContext context;
  return factorise(factors, structure, context);
}

Expected<LaplacePosterior> factorise(const LaplaceFactors& factors, LaplaceStructure structure,
                                     RunContext& context) {
  LaplacePosterior posterior;
  posterior.structure = structure;
  posterior.items = factors.items;
  posterior.labelled_items = factors.labelled_items;
  posterior.log_likelihood = factors.log_likelihood;
  const auto count = static_cast<std::int64_t>(factors.layers.size());
  for (const LayerFactors& layer : factors.layers) {
    if (context.step("factorising", static_cast<std::int64_t>(posterior.layers.size()), count) ==
        Step::kCancel) {
      return cancelled();
    }
    LayerPosterior result{layer.name, layer.outputs, layer.inputs, layer.has_bias,
                          layer.squared_norm};
    if (structure == LaplaceStructure::kDiagonal) {
      if (!at::isfinite(tensorView(layer.diagonal)).all().item().toBool()) {
        return fail(ErrorCode::kMalformed,
                    fmt::format("the curvature of layer {} is not finite; check the weights "
                                "and the preprocessing",
                                layer.name));
      }
      result.diagonal = layer.diagonal;
    } else if (structure != LaplaceStructure::kFull) {
      if (Status done = factoriseLayer(layer, result); !done) {
        return failWith(done);
      }
    }
    posterior.layers.push_back(std::move(result));
  }
  if (structure == LaplaceStructure::kFull) {
    auto basis = eigenBasis(factors.full, posterior.layers.at(0).name);
    if (!basis) {
      return failWith(basis);
    }
    posterior.full_basis = std::move(basis->vectors);
    posterior.full_values = std::move(basis->values);
  }
  return posterior;
}

at::Tensor precisionTable(const LayerPosterior& layer, LaplaceStructure structure,
                          const LaplaceScale& scale) {
  if (structure == LaplaceStructure::kDiagonal) {
    return tensorView(layer.diagonal) * scale.n + scale.tau;
  }
  const at::Tensor outputs = tensorView(layer.output_values);
  const at::Tensor inputs = tensorView(layer.input_values);
  if (structure == LaplaceStructure::kKronDamped) {
    return at::outer(outputs * std::sqrt(scale.n) + std::sqrt(scale.tau),
                     inputs * std::sqrt(scale.n) + std::sqrt(scale.tau));
  }
  return at::outer(outputs * scale.n, inputs) + scale.tau;
}

double logDetPrecision(const LaplacePosterior& posterior, const LaplaceScale& scale) {
  if (posterior.structure == LaplaceStructure::kFull) {
    return (tensorView(posterior.full_values) * scale.n + scale.tau).log().sum().item().toDouble();
  }
  double sum = 0.0;
  for (const LayerPosterior& layer : posterior.layers) {
    sum += precisionTable(layer, posterior.structure, scale).log_().sum().item().toDouble();
  }
  return sum;
}

double logEvidence(const LaplacePosterior& posterior, const LaplaceScale& scale) {
  return posterior.log_likelihood - 0.5 * scale.tau * posterior.squaredNorm() +
         0.5 * static_cast<double>(posterior.parameters()) * std::log(scale.tau) -
         0.5 * logDetPrecision(posterior, scale);
}

}  // namespace dubito
