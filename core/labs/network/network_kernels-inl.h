// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of a network, included once per instruction set, inside a namespace that defines
// `Simd`: vectors of up to kItemLanes doubles and operations on them. Multiplications and additions
// stay separate, since not all instruction sets can fuse them and results must not depend on it.

/// Vectors per group of kItemLanes items.
inline constexpr std::int64_t kParts = kItemLanes / Simd::kLanes;

/// c[0] + x (c[1] + x (c[2] + ...)).
template <std::size_t n>
Simd::V polynomialOf(const double (&c)[n], Simd::V x) {
  Simd::V sum = Simd::set(c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) {
    sum = Simd::add(Simd::mul(sum, x), Simd::set(c[i]));
  }
  return sum;
}

/// e^x for -708 <= x <= 709.
inline Simd::V expInRange(Simd::V x) {
  // Adding this constant leaves the nearest integer in the low bits of the sum.
  const Simd::V rounder = Simd::set(0x1.8p52);
  const Simd::V shifted = Simd::add(Simd::mul(x, Simd::set(0x1.71547652b82fep0)), rounder);
  const Simd::V whole = Simd::sub(shifted, rounder);
  // log 2 in two parts; the low 32 bits of the first are 0, so the product is exact.
  Simd::V r = Simd::sub(x, Simd::mul(whole, Simd::set(0x1.62e42feep-1)));
  r = Simd::sub(r, Simd::mul(whole, Simd::set(0x1.a39ef35793c76p-33)));
  // (e^r - 1 - r) / r^2 for |r| <= log(2) / 2: the Taylor series.
  constexpr double kSeries[] = {1.0 / 2.0,        1.0 / 6.0,         1.0 / 24.0,
                                1.0 / 120.0,      1.0 / 720.0,       1.0 / 5040.0,
                                1.0 / 40320.0,    1.0 / 362880.0,    1.0 / 3628800.0,
                                1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
  const Simd::V tail = Simd::mul(Simd::mul(r, r), polynomialOf(kSeries, r));
  return Simd::timesPowerOfTwo(Simd::add(Simd::set(1.0), Simd::add(r, tail)), shifted);
}

/// tanh x with relative error 4e-16.
inline Simd::V tanhOf(Simd::V x) {
  const Simd::V size = Simd::abs(x);
  // Up to 0.625: x + x^3 P(x^2) / Q(x^2), as in the Cephes library. Beyond: 1 - 2 / (e^2x + 1),
  // which is 1 from 22 on.
  const Simd::M is_small = Simd::lessEqual(size, Simd::set(0.625));
  const Simd::V bounded =
      Simd::select(Simd::lessEqual(size, Simd::set(22.0)), size, Simd::set(22.0));
  const Simd::V power = expInRange(Simd::add(bounded, bounded));
  constexpr double kP[] = {-1.61468768441708447952e3, -9.92877231001918586564e1,
                           -9.64399179425052238628e-1};
  constexpr double kQ[] = {4.84406305325125486048e3, 2.23548839060100448583e3,
                           1.12811678491632931402e2, 1.0};
  const Simd::V square = Simd::mul(size, size);
  const Simd::V cubic = Simd::mul(Simd::mul(size, square), polynomialOf(kP, square));
  // One division serves both.
  const Simd::V above = Simd::select(is_small, cubic, Simd::set(-2.0));
  const Simd::V below =
      Simd::select(is_small, polynomialOf(kQ, square), Simd::add(power, Simd::set(1.0)));
  const Simd::V base = Simd::select(is_small, size, Simd::set(1.0));
  const Simd::V result = Simd::add(base, Simd::div(above, below));
  return Simd::copySign(Simd::select(Simd::isNan(x), x, result), x);
}

/// A block of kRows rows and kVectors vectors of a product, from row `row` and item `item` on.
template <std::int64_t kRows, std::int64_t kVectors>
void productBlock(const ProductTask& task, std::int64_t row, std::int64_t item) {
  Simd::V sums[kRows][kVectors];
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      sums[r][v] = Simd::set(task.start == nullptr ? 0.0 : task.start[row + r]);
    }
  }
  const double* factor = task.matrix + row * task.row_step;
  const double* operand = task.operand + item;
  for (std::int64_t c = 0; c < task.columns; ++c) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      const Simd::V value = Simd::load(operand + v * Simd::kLanes);
      for (std::int64_t r = 0; r < kRows; ++r) {
        const Simd::V weight = Simd::set(factor[r * task.row_step]);
        sums[r][v] = Simd::add(sums[r][v], Simd::mul(weight, value));
      }
    }
    factor += task.column_step;
    operand += kTileItems;
  }
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      Simd::store(sums[r][v], task.result + (row + r) * kTileItems + item + v * Simd::kLanes);
    }
  }
}

template <std::int64_t kRows>
void productRows(const ProductTask& task, std::int64_t row) {
  constexpr std::int64_t kVectors = 2;
  std::int64_t item = 0;
  for (; item + kVectors * Simd::kLanes <= task.items; item += kVectors * Simd::kLanes) {
    productBlock<kRows, kVectors>(task, row, item);
  }
  for (; item < task.items; item += Simd::kLanes) {
    productBlock<kRows, 1>(task, row, item);
  }
}

inline void product(const ProductTask& task) {
  std::int64_t row = 0;
  for (; row + 4 <= task.rows; row += 4) {
    productRows<4>(task, row);
  }
  for (; row < task.rows; ++row) {
    productRows<1>(task, row);
  }
}

/// kRows rows and kColumns columns of an outer sum.
template <std::int64_t kRows, std::int64_t kColumns>
void outerSumBlock(const OuterSumTask& task, std::int64_t row, std::int64_t column) {
  const double* const left = task.left + row * kTileItems;
  const double* const right = task.right + column * kTileItems;
  for (std::int64_t part = 0; part < kParts; ++part) {
    double* const to = task.sums + (row * task.columns + column) * kItemLanes + part * Simd::kLanes;
    const auto offset = [&](std::int64_t r, std::int64_t c) {
      return (r * task.columns + c) * kItemLanes;
    };
    Simd::V sums[kRows][kColumns];
    for (std::int64_t r = 0; r < kRows; ++r) {
      for (std::int64_t c = 0; c < kColumns; ++c) {
        sums[r][c] = Simd::load(to + offset(r, c));
      }
    }
    for (std::int64_t item = part * Simd::kLanes; item < task.items; item += kItemLanes) {
      Simd::V values[kColumns];
      for (std::int64_t c = 0; c < kColumns; ++c) {
        values[c] = Simd::load(right + c * kTileItems + item);
      }
      for (std::int64_t r = 0; r < kRows; ++r) {
        const Simd::V factor = Simd::load(left + r * kTileItems + item);
        for (std::int64_t c = 0; c < kColumns; ++c) {
          sums[r][c] = Simd::add(sums[r][c], Simd::mul(factor, values[c]));
        }
      }
    }
    for (std::int64_t r = 0; r < kRows; ++r) {
      for (std::int64_t c = 0; c < kColumns; ++c) {
        Simd::store(sums[r][c], to + offset(r, c));
      }
    }
  }
}

template <std::int64_t kRows>
void outerSumRows(const OuterSumTask& task, std::int64_t row) {
  std::int64_t column = 0;
  for (; column + 4 <= task.columns; column += 4) {
    outerSumBlock<kRows, 4>(task, row, column);
  }
  for (; column < task.columns; ++column) {
    outerSumBlock<kRows, 1>(task, row, column);
  }
}

inline void sumOfRows(const OuterSumTask& task) {
  for (std::int64_t row = 0; row < task.rows; ++row) {
    for (std::int64_t part = 0; part < kParts; ++part) {
      double* const to = task.sums + row * kItemLanes + part * Simd::kLanes;
      Simd::V sum = Simd::load(to);
      for (std::int64_t item = part * Simd::kLanes; item < task.items; item += kItemLanes) {
        sum = Simd::add(sum, Simd::load(task.left + row * kTileItems + item));
      }
      Simd::store(sum, to);
    }
  }
}

inline void outerSum(const OuterSumTask& task) {
  if (task.right == nullptr) {
    sumOfRows(task);
    return;
  }
  std::int64_t row = 0;
  for (; row + 2 <= task.rows; row += 2) {
    outerSumRows<2>(task, row);
  }
  for (; row < task.rows; ++row) {
    outerSumRows<1>(task, row);
  }
}

inline void activate(Activation activation, const TileValues& units) {
  const Simd::V zero = Simd::set(0.0);
  for (std::int64_t row = 0; row < units.rows; ++row) {
    double* const values = units.values + row * kTileItems;
    for (std::int64_t item = 0; item < units.items; item += Simd::kLanes) {
      const Simd::V x = Simd::load(values + item);
      // NaN is kept: it is not <= 0.
      const Simd::V y = activation == Activation::kTanh
                            ? tanhOf(x)
                            : Simd::select(Simd::lessEqual(x, zero), zero, x);
      Simd::store(y, values + item);
    }
  }
}

inline void multiplyBySlope(Activation activation, const double* activated,
                            const TileValues& deltas) {
  const Simd::V zero = Simd::set(0.0);
  const Simd::V one = Simd::set(1.0);
  for (std::int64_t row = 0; row < deltas.rows; ++row) {
    double* const values = deltas.values + row * kTileItems;
    const double* const units = activated + row * kTileItems;
    for (std::int64_t item = 0; item < deltas.items; item += Simd::kLanes) {
      const Simd::V delta = Simd::load(values + item);
      const Simd::V unit = Simd::load(units + item);
      const Simd::V result = activation == Activation::kTanh
                                 ? Simd::mul(delta, Simd::sub(one, Simd::mul(unit, unit)))
                                 : Simd::select(Simd::lessEqual(unit, zero), zero, delta);
      Simd::store(result, values + item);
    }
  }
}
