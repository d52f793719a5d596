// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <cmath>

#include "core/kernels/logit_noise.h"
#include "core/kernels/philox.h"
#include "core/train/weight_average_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kSampleStream = 1'000'006;

at::Tensor inOneRow(const std::vector<at::Tensor>& weights) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& tensor : weights) {
    rows.push_back(tensor.detach().reshape({-1}).to(at::kDouble));
  }
  return at::cat(rows);
}

void copyFromRow(const at::Tensor& row, const std::vector<at::Tensor>& weights) {
  const at::NoGradGuard no_gradients;
  std::int64_t begin = 0;
  for (at::Tensor tensor : weights) {
    tensor.copy_(row.narrow(0, begin, tensor.numel()).view(tensor.sizes()));
    begin += tensor.numel();
  }
}

/// Standard normal numbers, on the device of `like`.
at::Tensor normals(std::uint64_t seed, std::int64_t draw, std::uint32_t part, std::int64_t count,
                   const at::Tensor& like) {
  at::Tensor noise = at::empty({count}, at::kDouble);
  logitNoise(siteKey(seed, kSampleStream), draw, part,
             {noise.mutable_data_ptr<double>(), static_cast<std::size_t>(count)});
  return noise.to(like.device());
}

}  // namespace

void WeightAverage::add(const std::vector<at::Tensor>& weights) {
  const at::NoGradGuard no_gradients;
  const at::Tensor row = inOneRow(weights);
  if (count_ == 0) {
    mean_ = at::zeros_like(row);
    squares_ = at::zeros_like(row);
  }
  ++count_;
  const at::Tensor before = row - mean_;
  mean_ = mean_ + before / static_cast<double>(count_);
  const at::Tensor after = row - mean_;
  squares_ = squares_ + before * after;
  if (rank_ > 0) {
    deviations_.push_back(after);
    if (static_cast<std::int64_t>(deviations_.size()) > rank_) {
      deviations_.pop_front();
    }
  }
}

void WeightAverage::writeMean(const std::vector<at::Tensor>& weights) const {
  copyFromRow(mean_, weights);
}

void WeightAverage::writeSample(const std::vector<at::Tensor>& weights, std::uint64_t seed,
                                std::int64_t draw) const {
  const auto columns = static_cast<std::int64_t>(deviations_.size());
  const at::Tensor deviation = (squares_ / static_cast<double>(count_)).clamp_min(0.0).sqrt();
  at::Tensor row =
      mean_ + std::sqrt(0.5) * deviation * normals(seed, draw, 0, mean_.numel(), mean_);
  const at::Tensor factors =
      normals(seed, draw, 1, columns, mean_) * std::sqrt(0.5 / static_cast<double>(columns - 1));
  for (std::int64_t k = 0; k < columns; ++k) {
    row = row + factors[k] * deviations_[static_cast<std::size_t>(k)];
  }
  copyFromRow(row, weights);
}

c10::IValue WeightAverage::state() const {
  std::vector<at::Tensor> rows;
  if (count_ > 0) {
    rows = {mean_.cpu(), squares_.cpu()};
    for (const at::Tensor& deviation : deviations_) {
      rows.push_back(deviation.cpu());
    }
  }
  return c10::ivalue::Tuple::create({count_, rows});
}

void WeightAverage::restore(const c10::IValue& state, const std::vector<at::Tensor>& weights) {
  const auto& parts = state.toTupleRef().elements();
  TORCH_CHECK(parts.size() == 2, "expected an average of weights");
  const std::int64_t count = parts[0].toInt();
  const std::vector<at::Tensor> rows = parts[1].toTensorVector();
  const auto expected = count == 0 ? 0 : 2 + std::min(count, rank_);
  TORCH_CHECK(count >= 0 && static_cast<std::int64_t>(rows.size()) == expected,
              "the average of the weights is incomplete");
  const at::Tensor like = inOneRow(weights);
  for (const at::Tensor& row : rows) {
    TORCH_CHECK(row.sizes() == like.sizes() && row.dtype() == like.dtype(),
                "the average is that of a different network");
  }
  count_ = count;
  deviations_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const at::Tensor row = rows[i].to(like.device());
    if (i == 0) {
      mean_ = row;
    } else if (i == 1) {
      squares_ = row;
    } else {
      deviations_.push_back(row);
    }
  }
}

}  // namespace dubito
