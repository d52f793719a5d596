// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of windows, interpolation and other operators on images.
#include "core/models/onnx/helper_functions.h"

namespace dubito {
namespace {

// Types of elements are numbers: 4 is int64, 6 is float32, 7 is float64, 11 is bool.
constexpr HelperFunction kHelpers[] = {
    {"resized_positions", R"(
def resized_positions(x: Tensor, axis: int, size: int, scale: float, coordinates: str) -> Tensor:
    before = x.size(axis)
    after = scale * float(before)
    positions = torch.arange(size, dtype=7, device=x.device)
    if coordinates == "asymmetric":
        positions = positions / scale
    elif coordinates == "align_corners":
        if after > 1.0:
            positions = positions * (float(before - 1) / (after - 1.0))
        else:
            positions = positions * 0.0
    elif coordinates == "pytorch_half_pixel" and size == 1:
        positions = positions * 0.0
    else:
        positions = (positions + 0.5) / scale - 0.5
        if coordinates == "half_pixel_symmetric":
            positions = positions + float(before) / 2.0 * (1.0 - float(size) / after)
    return positions
)"},
    {"resize_to_nearest", R"(
def resize_to_nearest(x: Tensor, axis: int, positions: Tensor, nearest: str) -> Tensor:
    if nearest == "floor":
        chosen = torch.floor(positions)
    elif nearest == "ceil":
        chosen = torch.ceil(positions)
    elif nearest == "round_prefer_floor":
        chosen = torch.ceil(positions - 0.5)
    else:
        chosen = torch.floor(positions + 0.5)
    return torch.index_select(x, axis, torch.clamp(chosen, 0, x.size(axis) - 1).to(4))
)"},
    {"resize_smoothly", R"(
def resize_smoothly(x: Tensor, axis: int, positions: Tensor, cubic: bool, a: float, excludes: bool) -> Tensor:
    size = x.size(axis)
    first = torch.floor(positions)
    t = positions - first
    if cubic:
        near = t + 1.0
        far = 2.0 - t
        weights = [((a * near - 5.0 * a) * near + 8.0 * a) * near - 4.0 * a,
                   ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0,
                   ((a + 2.0) * (1.0 - t) - (a + 3.0)) * (1.0 - t) * (1.0 - t) + 1.0,
                   ((a * far - 5.0 * a) * far + 8.0 * a) * far - 4.0 * a]
        start = -1
    else:
        weights = [1.0 - t, t]
        start = 0
    total = torch.zeros_like(t)
    kept: List[Tensor] = []
    for k in range(len(weights)):
        weight = weights[k]
        if excludes:
            at = first + (start + k)
            inside = torch.logical_and(torch.ge(at, 0), torch.lt(at, size))
            weight = torch.where(inside, weight, torch.zeros_like(weight))
        total = total + weight
        kept.append(weight)
    sizes: List[int] = []
    for i in range(x.dim()):
        sizes.append(1)
    sizes[axis] = positions.size(0)
    result = torch.zeros([1], dtype=x.dtype, device=x.device)
    for k in range(len(kept)):
        chosen = torch.clamp(first + (start + k), 0, size - 1).to(4)
        part = torch.index_select(x, axis, chosen) * (kept[k] / total).reshape(sizes).to(x.dtype)
        if k == 0:
            result = part
        else:
            result = result + part
    return result
)"},
    {"same_pads", R"(
def same_pads(x: Tensor, kernel: List[int], strides: List[int], dilations: List[int], end_first: bool) -> List[int]:
    pads: List[int] = []
    for k in range(len(kernel)):
        i = len(kernel) - 1 - k
        size = x.size(i + 2)
        steps = (size + strides[i] - 1) // strides[i]
        total = max((steps - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - size, 0)
        smaller = total // 2
        if end_first:
            pads.append(smaller)
            pads.append(total - smaller)
        else:
            pads.append(total - smaller)
            pads.append(smaller)
    return pads
)"},
    {"window_sums", R"(
def window_sums(x: Tensor, kernel: List[int], strides: List[int], dilations: List[int], before: List[int], after: List[int], rounds_up: bool) -> Tensor:
    pads: List[int] = []
    axes = len(kernel)
    for k in range(axes):
        i = axes - 1 - k
        reach = (kernel[i] - 1) * dilations[i] + 1
        room = x.size(i + 2) + before[i] + after[i] - reach
        more = 0
        if rounds_up and room % strides[i] != 0:
            start = (room // strides[i] + 1) * strides[i]
            if start < x.size(i + 2) + before[i]:
                more = start - room
        pads.append(before[i])
        pads.append(after[i] + more)
    whole = torch.constant_pad_nd(x, pads, 0.0)
    flat = whole.reshape([x.size(0) * x.size(1), 1] + whole.shape[2:])
    ones = torch.ones([1, 1] + kernel, dtype=x.dtype, device=x.device)
    if axes == 1:
        sums = torch.conv1d(flat, ones, None, strides, [0], dilations)
    elif axes == 2:
        sums = torch.conv2d(flat, ones, None, strides, [0, 0], dilations)
    else:
        sums = torch.conv3d(flat, ones, None, strides, [0, 0, 0], dilations)
    return sums.reshape([x.size(0), x.size(1)] + sums.shape[2:])
)"},
    {"positions_in_tensor", R"(
def positions_in_tensor(positions: Tensor, x: Tensor, by_column: bool) -> Tensor:
    plane = 1
    for i in range(2, x.dim()):
        plane = plane * x.size(i)
    within = positions
    if by_column and x.dim() == 4:
        row = torch.div(positions, x.size(3), rounding_mode="floor")
        within = torch.remainder(positions, x.size(3)) * x.size(2) + row
    sizes = [x.size(0), x.size(1)]
    for i in range(2, x.dim()):
        sizes.append(1)
    offsets = torch.arange(x.size(0) * x.size(1), dtype=4, device=x.device) * plane
    return within + offsets.reshape(sizes)
)"},
    {"center_crop_pad", R"(
def center_crop_pad(x: Tensor, sizes: List[int], axes: List[int]) -> Tensor:
    pads: List[int] = []
    for i in range(2 * x.dim()):
        pads.append(0)
    for i in range(len(axes)):
        more = sizes[i] - x.size(axes[i])
        before = more // 2
        if more < 0:
            before = -((-more) // 2)
        place = 2 * (x.dim() - 1 - axes[i])
        pads[place] = before
        pads[place + 1] = more - before
    return torch.constant_pad_nd(x, pads, 0.0)
)"},
};

}  // namespace

std::span<const HelperFunction> imageHelpers() {
  return kHelpers;
}

}  // namespace dubito
