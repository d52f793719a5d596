// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/data/device/device_batches_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/network_format.h"
#include "core/models/program/remedy.h"
#include "core/models/program/torch_reason.h"
#include "core/network/network_batch_torch.h"

namespace dubito {
namespace {

/// Index of the first row for which `bad` [rows] is true, or -1.
std::int64_t firstRow(const at::Tensor& bad) {
  const at::Tensor rows = at::nonzero(bad);
  return rows.size(0) == 0 ? -1 : rows[0][0].item().toLong();
}

/// [rows] Whether a row of logits has no softmax.
at::Tensor brokenRows(const at::Tensor& rows) {
  // Minus infinity is the logit of a masked class; a row with no other values has no softmax.
  return at::logical_or(at::logical_or(at::isnan(rows), at::isposinf(rows)).any(1),
                        at::isneginf(rows).all(1));
}

}  // namespace

at::Tensor networkInput(const Batch& batch, const Model& model) {
  const at::Tensor x = tensorOf(batch);
  const std::vector<std::int64_t>& wanted = model.audit().input_shape;
  const bool flatten = wanted.size() == 1 && x.dim() > 2 && batch.inputs.rowSize() == wanted[0];
  return flatten ? x.reshape({x.size(0), wanted[0]}) : x;
}

tl::unexpected<Error> networkFailure(const Model& model, const at::Tensor& x,
                                     const std::exception& exception) {
  if (isOutOfMemory(exception)) {
    const bool is_single = x.size(0) == 1;
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("{}: {} item(s) at a time do not fit into memory; {}", model.path(), x.size(0),
                    is_single ? "use a smaller network or more memory" : "choose a smaller batch"),
        is_single ? std::vector<Setting>() : std::vector<Setting>{setting("batch")},
        exception.what());
  }
  const std::string reason = torchReason(exception);
  const std::string otherwise =
      fmt::format("find the cause in Python with {}(torch.rand({}))",
                  formatNamed(model.audit().format).python_call, fmt::join(x.sizes().vec(), ", "));
  const std::string of_sizes = "state its input in its metadata";
  const std::string remedy = remedyOfPass(reason, of_sizes, otherwise);
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: the network fails on {} item(s) of {} ({}); {}", model.path(),
                          x.size(0), fmt::join(x.sizes().slice(1).vec(), " x "), reason, remedy),
              remedy == of_sizes
                  ? std::vector<Setting>{metadataSetting("input_size"), metadataSetting("channels")}
                  : std::vector<Setting>(),
              exception.what());
}

Status checkRows(const at::Tensor& rows, const Model& model, std::int64_t items) {
  if (rows.dim() != 2 || rows.size(0) % items != 0 || rows.size(1) != model.audit().classes) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the network returned [{}] for {} items instead of [{}, {}]; state "
                            "its input size in its metadata",
                            model.path(), fmt::join(rows.sizes().vec(), " x "), items, items,
                            model.audit().classes),
                {metadataSetting("input_size")});
  }
  return {};
}

tl::unexpected<Error> nonFiniteError(const Model& model, const Dataset& dataset,
                                     std::int64_t index) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}, item {}: the network {} returned NaN or infinity for it, or minus "
                          "infinity for every class; check the item and the preprocessing ({})",
                          dataset.info().name, dataset.itemName(index), model.path(),
                          model.metadata().preprocessing.describe()));
}

Expected<at::Tensor> checkedProbabilities(const at::Tensor& rows, const Model& model,
                                          const Dataset& dataset,
                                          std::span<const std::int64_t> indices) {
  const auto items = static_cast<std::int64_t>(indices.size());
  if (Status checked = checkRows(rows, model, items); !checked) {
    return failWith(checked);
  }
  const auto indexOfRow = [&](std::int64_t row) {
    return indices[static_cast<std::size_t>(row % items)];
  };
  const at::Tensor on_cpu = rows.detach().cpu();
  if (const auto row = firstRow(brokenRows(on_cpu)); row >= 0) {
    return nonFiniteError(model, dataset, indexOfRow(row));
  }
  at::Tensor probs = probabilitiesOf(on_cpu, model.audit().output).contiguous();
  if (const auto row = firstRow(at::isnan(probs).any(1)); row >= 0) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}, item {}: the row that the network {} returned is not a probability "
                    "distribution; declare its output as logits in its metadata",
                    dataset.info().name, dataset.itemName(indexOfRow(row)), model.path()),
        {metadataSetting("output", "logits")});
  }
  return probs;
}

Array<double> toArray(const at::Tensor& values, std::vector<std::int64_t> shape) {
  const double* const data = values.const_data_ptr<double>();
  return Array<double>::fromVector(std::move(shape),
                                   std::vector<double>(data, data + values.numel()));
}

}  // namespace dubito
