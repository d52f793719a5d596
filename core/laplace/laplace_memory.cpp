// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/laplace_memory.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/base/memory_budget.h"

namespace dubito {
namespace {

constexpr double kDouble = sizeof(double);
// The sum, its eigenvectors and the workspace of the factorisation.
constexpr double kFactorisedCopies = 4.0;
// The diagonal and the terms added to it.
constexpr double kTableCopies = 3.0;

}  // namespace

double laplaceBytes(LaplaceStructure structure, const LayerSize& layer) {
  const auto outputs = static_cast<double>(layer.outputs);
  const auto inputs = static_cast<double>(layer.inputs);
  const double parameters = outputs * inputs;
  switch (structure) {
    case LaplaceStructure::kFull:
      return kFactorisedCopies * parameters * parameters * kDouble;
    case LaplaceStructure::kDiagonal:
      return kTableCopies * parameters * kDouble;
    default:
      return (kFactorisedCopies * (inputs * inputs + outputs * outputs) +
              kTableCopies * parameters) *
             kDouble;
  }
}

double posteriorMemoryShare() {
  return 1.5 / kFactorisedCopies;
}

double decompositionCost(LaplaceStructure structure, const LayerSize& layer) {
  const auto outputs = static_cast<double>(layer.outputs);
  const auto inputs = static_cast<double>(layer.inputs);
  switch (structure) {
    case LaplaceStructure::kFull:
      return outputs * inputs * outputs * inputs * outputs * inputs;
    case LaplaceStructure::kDiagonal:
      return 0.0;
    default:
      return inputs * inputs * inputs + outputs * outputs * outputs;
  }
}

Status checkLaplaceMemory(LaplaceStructure structure, const LayerSize& layer,
                          std::int64_t available_bytes) {
  const double needed = laplaceBytes(structure, layer);
  if (available_bytes <= 0 || needed <= static_cast<double>(available_bytes)) {
    return {};
  }
  const std::string available = bytesText(static_cast<double>(available_bytes));
  const double parameters = static_cast<double>(layer.outputs) * static_cast<double>(layer.inputs);
  if (structure == LaplaceStructure::kFull) {
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("the full covariance of {:.0f} weights ({} classes x {} features) takes {}, "
                    "but only {} is available; use the structure kron, which takes {}",
                    parameters, layer.outputs, layer.inputs,
                    bytesText(parameters * parameters * kDouble), available,
                    bytesText(laplaceBytes(LaplaceStructure::kKron, layer))),
        {setting("structure", "kron")});
  }
  const bool is_diagonal = structure == LaplaceStructure::kDiagonal;
  return fail(
      ErrorCode::kOutOfMemory,
      fmt::format("with the structure {}, the posterior of {} classes x {} features takes {}, but "
                  "only {} is available; {}",
                  toString(structure), layer.outputs, layer.inputs, bytesText(needed), available,
                  is_diagonal
                      ? std::string("use a machine with more memory")
                      : fmt::format("use the structure diag, which takes {}",
                                    bytesText(laplaceBytes(LaplaceStructure::kDiagonal, layer)))),
      is_diagonal ? std::vector<Setting>() : std::vector{setting("structure", "diag")});
}

Status checkAllLayersMemory(LaplaceStructure structure, std::span<const LayerSize> layers,
                            std::int64_t available_bytes) {
  double needed = 0.0;
  double diagonal = 0.0;
  for (const LayerSize& layer : layers) {
    needed += laplaceBytes(structure, layer);
    diagonal += laplaceBytes(LaplaceStructure::kDiagonal, layer);
  }
  if (available_bytes <= 0 || needed <= static_cast<double>(available_bytes)) {
    return {};
  }
  std::vector<Setting> smaller = {setting("layers", "last")};
  if (structure != LaplaceStructure::kDiagonal) {
    smaller.insert(smaller.begin(), setting("structure", "diag"));
  }
  return fail(
      ErrorCode::kOutOfMemory,
      fmt::format("with the structure {}, the posterior of all {} layers takes {}, but only {} is "
                  "available; {}",
                  toString(structure), layers.size(), bytesText(needed),
                  bytesText(static_cast<double>(available_bytes)),
                  structure == LaplaceStructure::kDiagonal
                      ? std::string("use the last layer")
                      : fmt::format("use the structure diag, which takes {}, or the last layer",
                                    bytesText(diagonal))),
      std::move(smaller));
}

}  // namespace dubito
