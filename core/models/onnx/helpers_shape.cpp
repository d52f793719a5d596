// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of operators on shapes.
#include "core/models/onnx/helper_functions.h"

namespace dubito {
namespace {

// Types of elements are numbers: 4 is int64, 6 is float32, 7 is float64, 11 is bool.
constexpr HelperFunction kHelpers[] = {
    {"all_axes", R"(
def all_axes(x: Tensor) -> List[int]:
    axes: List[int] = []
    for i in range(x.dim()):
        axes.append(i)
    return axes
)"},
    {"axes_up_to", R"(
def axes_up_to(numbers: List[int]) -> List[int]:
    axes: List[int] = []
    for i in range(len(numbers)):
        axes.append(i)
    return axes
)"},
    {"ones_like_list", R"(
def ones_like_list(numbers: List[int]) -> List[int]:
    ones: List[int] = []
    for i in range(len(numbers)):
        ones.append(1)
    return ones
)"},
    {"integers_of", R"(
def integers_of(x: Tensor) -> List[int]:
    numbers: List[int] = x.reshape([-1]).to(4).tolist()
    return numbers
)"},
    {"divide", R"(
def divide(a: Tensor, b: Tensor) -> Tensor:
    if torch.is_floating_point(a):
        result = torch.div(a, b)
    else:
        result = torch.div(a, b, rounding_mode="trunc")
    return result
)"},
    {"reshape_keeping_zeros", R"(
def reshape_keeping_zeros(x: Tensor, sizes: List[int]) -> Tensor:
    filled: List[int] = []
    for i in range(len(sizes)):
        if sizes[i] == 0:
            filled.append(x.size(i))
        else:
            filled.append(sizes[i])
    return x.reshape(filled)
)"},
    {"flatten_to_rows", R"(
def flatten_to_rows(x: Tensor, axis: int) -> Tensor:
    rows = 1
    columns = 1
    first = axis
    if axis < 0:
        first = axis + x.dim()
    for i in range(x.dim()):
        if i < first:
            rows = rows * x.size(i)
        else:
            columns = columns * x.size(i)
    return x.reshape([rows, columns])
)"},
    {"reverse_axes", R"(
def reverse_axes(x: Tensor) -> Tensor:
    order: List[int] = []
    for i in range(x.dim()):
        order.append(x.dim() - 1 - i)
    return x.permute(order)
)"},
    {"unsqueeze_axes", R"(
def unsqueeze_axes(x: Tensor, axes: List[int]) -> Tensor:
    rank = x.dim() + len(axes)
    sorted_axes: List[int] = []
    for i in range(rank):
        for axis in axes:
            if axis == i or axis + rank == i:
                sorted_axes.append(i)
    result = x
    for axis in sorted_axes:
        result = torch.unsqueeze(result, axis)
    return result
)"},
    {"expand_both", R"(
def expand_both(x: Tensor, sizes: List[int]) -> Tensor:
    return x.expand(torch._infer_size(x.size(), sizes))
)"},
    {"range_of", R"(
def range_of(start: Tensor, limit: Tensor, delta: Tensor) -> Tensor:
    count = torch.clamp(torch.ceil(torch.div((limit - start).to(7), delta.to(7))), 0.0).to(4)
    steps = torch.arange(int(count), dtype=4, device=start.device)
    return (start + steps.to(start.dtype) * delta).to(start.dtype)
)"},
    {"depth_to_space", R"(
def depth_to_space(x: Tensor, block: int, by_depth: bool) -> Tensor:
    n, c, h, w = x.size(0), x.size(1), x.size(2), x.size(3)
    inner = c // (block * block)
    if by_depth:
        y = x.reshape([n, block, block, inner, h, w]).permute([0, 3, 4, 1, 5, 2])
    else:
        y = x.reshape([n, inner, block, block, h, w]).permute([0, 1, 4, 2, 5, 3])
    return y.reshape([n, inner, h * block, w * block])
)"},
    {"space_to_depth", R"(
def space_to_depth(x: Tensor, block: int, by_depth: bool) -> Tensor:
    n, c, h, w = x.size(0), x.size(1), x.size(2), x.size(3)
    y = x.reshape([n, c, h // block, block, w // block, block])
    if by_depth:
        y = y.permute([0, 3, 5, 1, 2, 4])
    else:
        y = y.permute([0, 1, 3, 5, 2, 4])
    return y.reshape([n, c * block * block, h // block, w // block])
)"},
    {"eye_like", R"(
def eye_like(x: Tensor, k: int, type: int) -> Tensor:
    rows = torch.arange(x.size(0), dtype=4, device=x.device).unsqueeze(1)
    columns = torch.arange(x.size(1), dtype=4, device=x.device).unsqueeze(0)
    return torch.eq(rows + k, columns).to(type)
)"},
};

}  // namespace

std::span<const HelperFunction> shapeHelpers() {
  return kHelpers;
}

}  // namespace dubito
