// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/Tensor.h>
#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <c10/core/InferenceMode.h>

#include <stdexcept>

#include "core/data/pixels/one_thread_torch.h"
#include "core/data/pixels/resize.h"

namespace dubito {
namespace {

at::Tensor resized(const at::Tensor& image, at::IntArrayRef size,
                   const std::string& interpolation) {
  if (interpolation == "bilinear") {
    return at::_upsample_bilinear2d_aa(image, size, /*align_corners=*/false);
  }
  if (interpolation == "bicubic") {
    return at::_upsample_bicubic2d_aa(image, size, /*align_corners=*/false);
  }
  if (interpolation == "nearest") {
    return at::upsample_nearest2d(image, size);
  }
  throw std::invalid_argument("resizePlanes: unknown interpolation " + interpolation);
}

}  // namespace

Array<float> resizePlanes(const Array<float>& planes, std::int64_t height, std::int64_t width,
                          const std::string& interpolation) {
  const SingleThreadScope one_thread;
  const c10::InferenceMode no_gradients;
  const std::vector<std::int64_t>& shape = planes.shape();
  // from_blob takes a mutable pointer, but nothing is written through it.
  const at::Tensor image = at::from_blob(const_cast<float*>(planes.data()),
                                         {1, shape.at(0), shape.at(1), shape.at(2)}, at::kFloat);
  const at::Tensor result = resized(image, {height, width}, interpolation).contiguous();
  auto owner = std::make_shared<at::Tensor>(result);
  return Array<float>::view({shape[0], height, width}, owner->const_data_ptr<float>(), owner);
}

}  // namespace dubito
