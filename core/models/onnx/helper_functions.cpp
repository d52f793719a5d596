// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/helper_functions.h"

#include <array>
#include <stdexcept>
#include <vector>

namespace dubito {
namespace {

struct Helper {
  std::string_view name;
  std::string_view source;
  std::array<std::string_view, 3> callees = {};
};

// Types of elements are numbers: 4 is int64, 6 is float32.
constexpr Helper kHelpers[] = {
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
    {"hardmax", R"(
def hardmax(x: Tensor, axis: int) -> Tensor:
    positions = torch.argmax(x, axis, True)
    return torch.scatter(torch.zeros_like(x), axis, positions, torch.ones_like(positions).to(x.dtype))
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
    {"normalise", R"(
def normalise(x: Tensor, axes: List[int], epsilon: float) -> Tuple[Tensor, Tensor, Tensor]:
    mean = torch.mean(x, axes, True)
    centred = x - mean
    deviation = torch.rsqrt(torch.mean(centred * centred, axes, True) + epsilon)
    return (centred * deviation, mean, deviation)
)"},
    {"group_norm_by_group", R"(
def group_norm_by_group(x: Tensor, groups: int, weight: Tensor, bias: Tensor, epsilon: float, rank: int) -> Tensor:
    each = x.size(1) // groups
    return torch.group_norm(x, groups, torch.repeat_interleave(weight, each), torch.repeat_interleave(bias, each), epsilon)
)"},
    {"local_response_norm", R"(
def local_response_norm(x: Tensor, size: int, alpha: float, beta: float, bias: float) -> Tensor:
    squares = (x * x).reshape([x.size(0), 1, x.size(1), -1])
    before = (size - 1) // 2
    padded = torch.constant_pad_nd(squares, [0, 0, before, size - 1 - before], 0.0)
    sums = torch.avg_pool2d(padded, [size, 1], [1, 1]).reshape(x.size())
    return torch.div(x, torch.pow(sums * alpha + bias, beta))
)"},
    {"gru_reset_before", R"(
def gru_reset_before(x: Tensor, state: Tensor, weights: List[Tensor], hidden: int) -> Tuple[Tensor, Tensor]:
    outputs: List[Tensor] = []
    last: List[Tensor] = []
    for k in range(len(weights) // 4):
        h = torch.select(state, 0, k)
        inputs = torch.linear(x, weights[4 * k], weights[4 * k + 2])
        steps: List[Tensor] = []
        for step in range(x.size(0)):
            t = step
            if k == 1:
                t = x.size(0) - 1 - step
            of_step = torch.select(inputs, 0, t)
            gates = torch.linear(h, weights[4 * k + 1][:2 * hidden], weights[4 * k + 3][:2 * hidden])
            reset = torch.sigmoid(of_step[:, :hidden] + gates[:, :hidden])
            update = torch.sigmoid(of_step[:, hidden:2 * hidden] + gates[:, hidden:])
            of_state = torch.linear(reset * h, weights[4 * k + 1][2 * hidden:], weights[4 * k + 3][2 * hidden:])
            new = torch.tanh(of_step[:, 2 * hidden:] + of_state)
            h = new + update * (h - new)
            steps.append(h)
        every = torch.stack(steps)
        if k == 1:
            every = torch.flip(every, [0])
        outputs.append(every)
        last.append(h)
    return (torch.cat(outputs, -1), torch.stack(last))
)"},
    {"lstm_with_peepholes", R"(
def lstm_with_peepholes(x: Tensor, state: Tensor, cell: Tensor, weights: List[Tensor], peepholes: Tensor, hidden: int) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    last: List[Tensor] = []
    last_cells: List[Tensor] = []
    for k in range(len(weights) // 4):
        h = torch.select(state, 0, k)
        c = torch.select(cell, 0, k)
        p = torch.select(peepholes, 0, k)
        inputs = torch.linear(x, weights[4 * k], weights[4 * k + 2])
        steps: List[Tensor] = []
        for step in range(x.size(0)):
            t = step
            if k == 1:
                t = x.size(0) - 1 - step
            gates = torch.select(inputs, 0, t) + torch.linear(h, weights[4 * k + 1], weights[4 * k + 3])
            taken = torch.sigmoid(gates[:, :hidden] + p[:hidden] * c)
            kept = torch.sigmoid(gates[:, hidden:2 * hidden] + p[2 * hidden:] * c)
            c = kept * c + taken * torch.tanh(gates[:, 2 * hidden:3 * hidden])
            h = torch.sigmoid(gates[:, 3 * hidden:] + p[hidden:2 * hidden] * c) * torch.tanh(c)
            steps.append(h)
        every = torch.stack(steps)
        if k == 1:
            every = torch.flip(every, [0])
        outputs.append(every)
        last.append(h)
        last_cells.append(c)
    return (torch.cat(outputs, -1), torch.stack(last), torch.stack(last_cells))
)"},
    {"quantise_by_range", R"(
def quantise_by_range(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    lowest = torch.clamp(torch.min(x), max=0.0)
    highest = torch.clamp(torch.max(x), min=0.0)
    scale = (highest - lowest) / 255.0
    zero_point = torch.clamp(torch.round(-lowest / scale), 0, 255)
    values = torch.clamp(torch.round(x / scale) + zero_point, 0, 255)
    return (values.to(0), scale, zero_point.to(0))
)"},
};

const Helper& find(std::string_view name) {
  for (const Helper& helper : kHelpers) {
    if (helper.name == name) {
      return helper;
    }
  }
  throw std::out_of_range("no helper function " + std::string(name));
}

void append(std::string_view name, std::set<std::string_view>& done, std::string& source) {
  const Helper& helper = find(name);
  if (!done.insert(helper.name).second) {
    return;
  }
  for (const std::string_view callee : helper.callees) {
    if (!callee.empty()) {
      append(callee, done, source);
    }
  }
  source += helper.source.substr(1);
}

}  // namespace

std::string helperSource(const std::set<std::string_view>& names) {
  std::set<std::string_view> done;
  std::string source;
  for (const std::string_view name : names) {
    append(name, done, source);
  }
  return source;
}

}  // namespace dubito
