// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "tests/core/kernels/cuda_on_cpu/grid.h"

namespace dubito::cuda_on_cpu {

/// Orders of the threads that a correct kernel does not depend on: each finds races that others
/// hide. Few blocks make every loop over the grid turn.
inline constexpr Schedule kSchedules[] = {
    {.order = Schedule::Order::kForward},
    {.order = Schedule::Order::kBackward, .max_blocks = 1},
    {.order = Schedule::Order::kShuffled, .key = 1, .max_blocks = 3, .blocks_at_once = 3},
};

/// Calls `launch(output)` once with each of kSchedules and an output of `count` elements that holds
/// `initial`; returns the output of the first. The test fails if another one differs in any bit.
template <class T, class Launch>
std::vector<T> withEverySchedule(std::size_t count, T initial, const Launch& launch) {
  std::vector<T> first;
  for (const Schedule& schedule : kSchedules) {
    setSchedule(schedule);
    std::vector<T> output(count, initial);
    launch(output.data());
    if (first.empty()) {
      first = output;
    }
    const auto same = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
    EXPECT_TRUE(std::equal(output.begin(), output.end(), first.begin(), same))
        << "the result depends on the order of the threads";
  }
  setSchedule({});
  return first;
}

}  // namespace dubito::cuda_on_cpu
