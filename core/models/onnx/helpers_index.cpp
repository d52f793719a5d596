// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of operators that choose elements by position, of padding, and of reductions.
#include "core/models/onnx/helper_functions.h"

namespace dubito {
namespace {

// Types of elements are numbers: 4 is int64, 6 is float32, 7 is float64, 11 is bool.
constexpr HelperFunction kHelpers[] = {
    {"positive_positions", R"(
def positive_positions(x: Tensor, positions: Tensor, axis: int) -> Tensor:
    return torch.where(torch.lt(positions, 0), positions + x.size(axis), positions).to(4)
)"},
    {"gather",
     R"(
def gather(x: Tensor, positions: Tensor, axis: int) -> Tensor:
    chosen = positive_positions(x, positions, axis)
    flat = torch.index_select(x, axis, chosen.reshape([-1]))
    at = axis
    if axis < 0:
        at = axis + x.dim()
    sizes: List[int] = []
    for i in range(at):
        sizes.append(x.size(i))
    for i in range(chosen.dim()):
        sizes.append(chosen.size(i))
    for i in range(at + 1, x.dim()):
        sizes.append(x.size(i))
    return flat.reshape(sizes)
)",
     {"positive_positions"}},
    {"gather_elements",
     R"(
def gather_elements(x: Tensor, positions: Tensor, axis: int) -> Tensor:
    return torch.gather(x, axis, positive_positions(x, positions, axis))
)",
     {"positive_positions"}},
    {"row_numbers", R"(
def row_numbers(positions: Tensor, sizes: List[int]) -> Tensor:
    rows = positions.reshape([-1, len(sizes)]).to(4)
    numbers = torch.zeros([rows.size(0)], dtype=4, device=positions.device)
    for i in range(len(sizes)):
        column = torch.select(rows, 1, i)
        column = torch.where(torch.lt(column, 0), column + sizes[i], column)
        numbers = numbers * sizes[i] + column
    return numbers
)"},
    {"gather_nd",
     R"(
def gather_nd(x: Tensor, positions: Tensor, batch_axes: int) -> Tensor:
    depth = positions.size(-1)
    batch = 1
    sizes: List[int] = []
    result: List[int] = []
    for i in range(batch_axes):
        batch = batch * x.size(i)
    for i in range(positions.dim() - 1):
        result.append(positions.size(i))
    count = 1
    for i in range(depth):
        sizes.append(x.size(batch_axes + i))
        count = count * x.size(batch_axes + i)
    rest: List[int] = []
    for i in range(batch_axes + depth, x.dim()):
        rest.append(x.size(i))
        result.append(x.size(i))
    numbers = row_numbers(positions, sizes)
    if batch_axes > 0:
        offsets = torch.arange(batch, dtype=4, device=x.device) * count
        numbers = (numbers.reshape([batch, -1]) + offsets.unsqueeze(1)).reshape([-1])
    flat = x.reshape([batch * count] + rest)
    return torch.index_select(flat, 0, numbers).reshape(result)
)",
     {"row_numbers"}},
    {"scatter_nd",
     R"(
def scatter_nd(x: Tensor, positions: Tensor, updates: Tensor, reduction: str) -> Tensor:
    depth = positions.size(-1)
    sizes: List[int] = []
    count = 1
    for i in range(depth):
        sizes.append(x.size(i))
        count = count * x.size(i)
    numbers = row_numbers(positions, sizes)
    flat = x.reshape([count, -1])
    changes = updates.reshape([numbers.size(0), -1])
    targets = numbers.unsqueeze(1).expand_as(changes)
    if reduction == "none":
        result = torch.scatter(flat, 0, targets, changes)
    elif reduction == "add":
        result = torch.scatter_reduce(flat, 0, targets, changes, "sum")
    elif reduction == "mul":
        result = torch.scatter_reduce(flat, 0, targets, changes, "prod")
    elif reduction == "max":
        result = torch.scatter_reduce(flat, 0, targets, changes, "amax")
    else:
        result = torch.scatter_reduce(flat, 0, targets, changes, "amin")
    return result.reshape(x.size())
)",
     {"row_numbers"}},
    {"slice_backwards", R"(
def slice_backwards(x: Tensor, axis: int, start: int, end: int, step: int) -> Tensor:
    size = x.size(axis)
    first = start
    last = end
    if first < 0:
        first = first + size
    if last < 0:
        last = last + size
    first = min(max(first, -1), size - 1)
    last = min(max(last, -1), size)
    count = max((first - last - step - 1) // (-step), 0)
    positions = torch.arange(count, dtype=4, device=x.device) * step + first
    return torch.index_select(x, axis, positions)
)"},
    {"slice_axes",
     R"(
def slice_axes(x: Tensor, starts: List[int], ends: List[int], axes: List[int], steps: List[int]) -> Tensor:
    result = x
    for i in range(len(starts)):
        if steps[i] > 0:
            result = torch.slice(result, axes[i], starts[i], ends[i], steps[i])
        else:
            result = slice_backwards(result, axes[i], starts[i], ends[i], steps[i])
    return result
)",
     {"slice_backwards"}},
    {"pads_from_last_axis", R"(
def pads_from_last_axis(pads: List[int]) -> List[int]:
    rank = len(pads) // 2
    result: List[int] = []
    for k in range(rank):
        result.append(pads[rank - 1 - k])
        result.append(pads[2 * rank - 1 - k])
    return result
)"},
    {"pad_axis", R"(
def pad_axis(x: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    size = x.size(axis)
    positions = torch.arange(size + before + after, dtype=4, device=x.device) - before
    if mode == "edge":
        positions = torch.clamp(positions, 0, size - 1)
    elif mode == "wrap":
        positions = torch.remainder(positions, size)
    else:
        period = max(2 * (size - 1), 1)
        positions = torch.remainder(positions, period)
        positions = torch.minimum(positions, period - positions)
    return torch.index_select(x, axis, positions)
)"},
    {"one_hot", R"(
def one_hot(x: Tensor, depth: int, values: Tensor, axis: int) -> Tensor:
    classes = torch.arange(depth, dtype=4, device=x.device)
    positions = torch.remainder(x.to(4), depth)
    inside = torch.logical_and(torch.ge(x, -depth), torch.lt(x, depth))
    at = axis
    if axis < 0:
        at = axis + x.dim() + 1
    sizes: List[int] = []
    for i in range(x.dim() + 1):
        if i == at:
            sizes.append(depth)
        else:
            sizes.append(1)
    hits = torch.eq(positions.unsqueeze(at), classes.reshape(sizes))
    hits = torch.logical_and(hits, inside.unsqueeze(at))
    return torch.where(hits, values.select(0, 1), values.select(0, 0))
)"},
    {"compress", R"(
def compress(x: Tensor, condition: Tensor, axis: int, has_axis: bool) -> Tensor:
    positions = torch.nonzero(condition).reshape([-1])
    if has_axis:
        result = torch.index_select(x, axis, positions)
    else:
        result = torch.index_select(x.reshape([-1]), 0, positions)
    return result
)"},
    {"product_over", R"(
def product_over(x: Tensor, axes: List[int], keeps_axes: bool) -> Tensor:
    result = x
    for axis in axes:
        result = torch.prod(result, axis, True).to(x.dtype)
    if not keeps_axes:
        result = torch.squeeze(result, axes)
    return result
)"},
    {"cumulative_product", R"(
def cumulative_product(x: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    values = x
    if reverse:
        values = torch.flip(x, [axis])
    if exclusive:
        first = torch.ones_like(torch.slice(values, axis, 0, 1))
        values = torch.cat([first, torch.slice(values, axis, 0, -1)], axis)
    products = torch.cumprod(values, axis)
    if reverse:
        products = torch.flip(products, [axis])
    return products.to(x.dtype)
)"},
    {"cumulative_sum", R"(
def cumulative_sum(x: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    values = x
    if reverse:
        values = torch.flip(x, [axis])
    sums = torch.cumsum(values, axis)
    if exclusive:
        sums = sums - values
    if reverse:
        sums = torch.flip(sums, [axis])
    return sums.to(x.dtype)
)"},
};

}  // namespace

std::span<const HelperFunction> indexHelpers() {
  return kHelpers;
}

}  // namespace dubito
