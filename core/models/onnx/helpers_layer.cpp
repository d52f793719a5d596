// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of layers: normalisation, recurrent layers, quantisation.
#include "core/models/onnx/helper_functions.h"

namespace dubito {
namespace {

// Types of elements are numbers: 4 is int64, 6 is float32, 7 is float64, 11 is bool.
constexpr HelperFunction kHelpers[] = {
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
    scale = torch.where(torch.eq(scale, 0.0), torch.ones_like(scale), scale)
    zero_point = torch.clamp(torch.round(-lowest / scale), 0, 255)
    values = torch.clamp(torch.round(x / scale) + zero_point, 0, 255)
    return (values.to(0), scale, zero_point.to(0))
)"},
    {"hardmax", R"(
def hardmax(x: Tensor, axis: int) -> Tensor:
    positions = torch.argmax(x, axis, True)
    return torch.scatter(torch.zeros_like(x), axis, positions, torch.ones_like(positions).to(x.dtype))
)"},
};

}  // namespace

std::span<const HelperFunction> layerHelpers() {
  return kHelpers;
}

}  // namespace dubito
