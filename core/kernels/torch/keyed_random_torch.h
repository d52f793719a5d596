// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>

namespace torch {
class Library;
}

namespace dubito {

/// A distribution of independent numbers, named as in the table at keyedRandom.
struct KeyedDistribution {
  std::string_view name;
  double a = 0.0;
  double b = 0.0;
};

/// Where the numbers are drawn.
struct KeyedPlace {
  std::int64_t site = 0;
  /// Distinguishes what the site draws in one pass, in [0, 2^31); see siteKey.
  std::int64_t execution = 0;
  std::int64_t item_axis = 0;  ///< axis of the numbers that indexes the items: 0 or 1
};

/// Float32 numbers of the shape of `like`, on its device, that depend on seed, item, draw, place
/// and the position within the item's rows only (theory, section 4). With u uniform in (0, 1):
///
/// | name          | a      | b     | number                       |
/// | ------------- | ------ | ----- | ---------------------------- |
/// | `uniform`     | from   | to    | a + (b - a) u                |
/// | `normal`      | mean   | std   | a + b z, z standard normal   |
/// | `log_normal`  | mean   | std   | exp(a + b z)                 |
/// | `bernoulli`   | p      | -     | 1 where u < a, else 0        |
/// | `exponential` | lambda | -     | -log(u) / a                  |
/// | `geometric`   | p      | -     | ceil(log(u) / log(1 - a))    |
/// | `cauchy`      | median | sigma | a + b tan(pi (u - 1/2))      |
/// | `integer`     | from   | to    | floor(a + (b - a) u), < b    |
///
/// `items` and `draws` are as for keyedDropout. The item axis has M m rows, item-major; a single
/// row stands for one number of the whole batch and becomes M rows, one per item, which is the same
/// for an item alone. Throws c10::Error for invalid arguments.
[[nodiscard]] at::Tensor keyedRandom(const at::Tensor& like, const KeyedDistribution& distribution,
                                     std::int64_t seed, const at::Tensor& items,
                                     const at::Tensor& draws, const KeyedPlace& place);

/// Defines `dubito::keyed_random`, keyedRandom as an operator, and `dubito::draws(int seed, int[]
/// sites) -> bool`, which is true: the program takes the branches in which these sites draw.
void defineKeyedRandom(torch::Library& library);

}  // namespace dubito
