// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of attention.
#include "core/models/onnx/helper_functions.h"

namespace dubito {
namespace {

// Types of elements are numbers: 4 is int64, 6 is float32, 7 is float64, 11 is bool.
constexpr HelperFunction kHelpers[] = {
    {"attention_bias", R"(
def attention_bias(q: Tensor, k: Tensor, mask: Optional[Tensor], is_causal: bool, offset: int) -> Tensor:
    infinite = float("-inf")
    bias = torch.zeros([q.size(2), k.size(2)], dtype=q.dtype, device=q.device)
    if is_causal:
        rows = torch.arange(q.size(2), dtype=4, device=q.device) + offset
        columns = torch.arange(k.size(2), dtype=4, device=q.device)
        bias = torch.masked_fill(bias, torch.gt(columns.unsqueeze(0), rows.unsqueeze(1)), infinite)
    if mask is not None:
        added = mask
        if mask.dtype == 11:
            added = torch.masked_fill(torch.zeros_like(mask, dtype=q.dtype), torch.logical_not(mask), infinite)
        missing = k.size(2) - added.size(-1)
        if missing > 0:
            added = torch.constant_pad_nd(added, [0, missing], infinite)
        bias = bias + added
    return bias
)"},
    {"attend", R"(
def attend(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor], scale: float, softcap: float, shown: int, softmax_type: int) -> Tuple[Tensor, Tensor]:
    factor = scale
    if scale == 0.0:
        factor = 1.0 / float(q.size(3)) ** 0.5
    root = factor ** 0.5
    keys, values = k, v
    if q.size(1) != k.size(1):
        each = q.size(1) // k.size(1)
        keys = torch.repeat_interleave(k, each, 1)
        values = torch.repeat_interleave(v, each, 1)
    scores = torch.matmul(q * root, torch.transpose(keys * root, 2, 3))
    result = scores
    if softcap > 0.0:
        scores = torch.tanh(scores / softcap) * softcap
    if shown == 1:
        result = scores
    if bias is not None:
        scores = scores + bias
    if shown == 2:
        result = scores
    wide = scores
    if softmax_type >= 0:
        wide = scores.to(softmax_type)
    weights = torch.softmax(wide, -1).to(q.dtype)
    if bias is not None:
        nothing = torch.isneginf(torch.amax(bias, [-1], True))
        weights = torch.where(nothing, torch.zeros_like(weights), weights)
    if shown == 3:
        result = weights
    return (torch.matmul(weights, values), result)
)"},
    {"split_bias", R"(
def split_bias(bias: Tensor, q: Tensor, k: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    first = q.size(2)
    second = first + k.size(2)
    return (bias[:first], bias[first:second], bias[second:])
)"},
    {"rotate_pairs", R"(
def rotate_pairs(x: Tensor, cosines: Tensor, sines: Tensor, size: int, interleaved: bool) -> Tensor:
    rotated_size = size
    if size == 0:
        rotated_size = x.size(3)
    rotated = torch.slice(x, 3, 0, rotated_size)
    if interleaved:
        a = torch.slice(rotated, 3, 0, rotated_size, 2)
        b = torch.slice(rotated, 3, 1, rotated_size, 2)
    else:
        a = torch.slice(rotated, 3, 0, rotated_size // 2)
        b = torch.slice(rotated, 3, rotated_size // 2, rotated_size)
    c = cosines.unsqueeze(1)
    s = sines.unsqueeze(1)
    first = c * a - s * b
    second = s * a + c * b
    if interleaved:
        result = torch.flatten(torch.stack([first, second], -1), 3)
    else:
        result = torch.cat([first, second], 3)
    return torch.cat([result, torch.slice(x, 3, rotated_size, x.size(3))], 3)
)"},
};

}  // namespace

std::span<const HelperFunction> attentionHelpers() {
  return kHelpers;
}

}  // namespace dubito
