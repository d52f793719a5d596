// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/any.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/predictive_summary.h"
#include "core/models/program/torch_reason.h"
#include "core/network/network_batch_torch.h"
#include "core/predict/drawn_rows_torch.h"

namespace dubito {
namespace {

/// Calls `summarise`; what the runtime of a GPU throws there becomes an error.
template <class Summarise>
Expected<PredictiveSummary> summarisedOn(const std::optional<int>& cuda_device, const Model& model,
                                         const Summarise& summarise) {
  if (!cuda_device) {
    return summarise();
  }
  try {
    return summarise();
  } catch (const std::exception& exception) {
    if (isOutOfMemory(exception)) {
      return fail(ErrorCode::kOutOfMemory,
                  fmt::format("{}: the draws of a batch do not fit into the memory of cuda:{}; "
                              "choose a smaller batch or fewer draws",
                              model.path(), *cuda_device),
                  {setting("batch"), setting("draws")}, exception.what());
    }
    return fail(ErrorCode::kInternal,
                fmt::format("{}: cuda:{} failed to summarise the draws ({}); run it again, or on "
                            "the CPU",
                            model.path(), *cuda_device, torchReason(exception)),
                {setting("device", "cpu")}, exception.what());
  }
}

}  // namespace

DrawnRows::DrawnRows(const Model& model, const Dataset& dataset,
                     std::span<const std::int64_t> indices, std::int64_t draws)
    : model_(model),
      dataset_(dataset),
      indices_(indices),
      classes_(model.audit().classes),
      draws_(static_cast<std::size_t>(draws), nullptr) {}

Status DrawnRows::put(const at::Tensor& rows, std::int64_t first_draw, std::int64_t begin,
                      std::int64_t items) {
  if (Status checked = checkRows(rows, model_, items); !checked) {
    return checked;
  }
  // Double logits keep their precision when converted to probabilities.
  are_logits_ = model_.audit().output == OutputKind::kLogits && rows.scalar_type() != at::kDouble;
  at::Tensor floats;
  if (are_logits_) {
    // One draw is summarised faster than it is launched for, and its logits may be kept.
    const bool stays = rows.is_cuda() && draws_.size() > 1;
    floats =
        rows.detach().to(stays ? rows.device() : at::Device(at::kCPU), at::kFloat).contiguous();
    cuda_device_ = stays ? std::optional(int{rows.device().index()}) : std::nullopt;
  } else {
    const auto indices =
        indices_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(items));
    const auto probs = checkedProbabilities(rows, model_, dataset_, indices);
    if (!probs) {
      return failWith(probs);
    }
    floats = probs->to(at::kFloat).contiguous();
  }
  const std::int64_t count = rows.size(0) / items;
  const float* from = nullptr;
  if (items == itemCount()) {
    tensors_.push_back(floats);
    from = floats.const_data_ptr<float>();
  } else {
    if (!combined_.defined()) {
      combined_ = at::zeros({static_cast<std::int64_t>(draws_.size()), itemCount(), classes_},
                            floats.options());
    }
    combined_.slice(0, first_draw, first_draw + count)
        .slice(1, begin, begin + items)
        .copy_(floats.view({count, items, classes_}));
    from = combined_.const_data_ptr<float>() + first_draw * itemCount() * classes_;
  }
  for (std::int64_t draw = 0; draw < count; ++draw) {
    draws_[static_cast<std::size_t>(first_draw + draw)] = from + draw * itemCount() * classes_;
  }
  return {};
}

bool DrawnRows::differ() const {
  const std::int64_t size = itemCount() * classes_;
  if (!cuda_device_) {
    return std::ranges::any_of(
        draws_, [&](const float* draw) { return !std::equal(draw, draw + size, draws_.front()); });
  }
  const at::Tensor first = (combined_.defined() ? combined_ : tensors_.front()).view({-1, size})[0];
  const auto differs = [&](const at::Tensor& draws) {
    return draws.view({-1, size}).ne(first).any().item<bool>();
  };
  return combined_.defined() ? differs(combined_) : std::ranges::any_of(tensors_, differs);
}

Status DrawnRows::checkFinite(const PredictiveSummary& summary) const {
  for (std::int64_t item = 0; item < itemCount(); ++item) {
    if (std::isnan(summary.entropy.data()[item])) {
      return nonFiniteError(model_, dataset_, indices_[static_cast<std::size_t>(item)]);
    }
  }
  return {};
}

Status DrawnRows::addTo(RunBuilder& builder, const RunContext& context) const {
  if (!are_logits_) {
    Array<float> probs =
        Array<float>::zeros({static_cast<std::int64_t>(draws_.size()), itemCount(), classes_});
    for (std::size_t t = 0; t < draws_.size(); ++t) {
      std::copy_n(draws_[t], itemCount() * classes_,
                  probs.mutableRow(static_cast<std::int64_t>(t)).data());
    }
    return builder.addDraws(probs, context);
  }
  const auto summary =
      summarisedOn(cuda_device_, model_, [&] { return builder.summarise(view(), context); });
  if (!summary) {
    return failWith(summary);
  }
  if (Status finite = checkFinite(*summary); !finite) {
    return finite;
  }
  // Raw rows are kept of a single draw alone, which lies in the host's memory.
  const std::span<const float> logits(draws_.front(),
                                      static_cast<std::size_t>(itemCount() * classes_));
  builder.addSummary(*summary, cuda_device_ ? std::span<const float>() : logits);
  return {};
}

Expected<Array<float>> DrawnRows::probabilities(const RunContext& context) const {
  Array<float> probs =
      Array<float>::zeros({static_cast<std::int64_t>(draws_.size()), itemCount(), classes_});
  std::vector<float*> places;
  for (std::size_t t = 0; t < draws_.size(); ++t) {
    places.push_back(probs.mutableRow(static_cast<std::int64_t>(t)).data());
  }
  if (!are_logits_) {
    for (std::size_t t = 0; t < draws_.size(); ++t) {
      std::copy_n(draws_[t], itemCount() * classes_, places[t]);
    }
    return probs;
  }
  const auto summary = summarisedOn(cuda_device_, model_, [&]() -> Expected<PredictiveSummary> {
    return summariseLogits(view(), places, context);
  });
  if (!summary) {
    return failWith(summary);
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  if (Status finite = checkFinite(*summary); !finite) {
    return failWith(finite);
  }
  return probs;
}

}  // namespace dubito
