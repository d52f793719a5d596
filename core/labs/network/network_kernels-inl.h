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

/// tanh x with relative error below 1e-15.
inline Simd::V tanhOf(Simd::V x) {
  const Simd::V limit = Simd::set(22.0);
  const Simd::V size = Simd::abs(x);
  // From 22 on the result is 1. NaN is not beyond the limit.
  const Simd::V bounded = Simd::select(Simd::lessEqual(limit, size), limit, size);
  // |x| = k log(2) / 2 + h. Adding this constant leaves the nearest integer in the low bits.
  const Simd::V rounder = Simd::set(0x1.8p52);
  const Simd::V shifted = Simd::add(Simd::mul(bounded, Simd::set(0x1.71547652b82fep1)), rounder);
  const Simd::V k = Simd::sub(shifted, rounder);
  // log(2) / 2 in two parts; the low 32 bits of the first are 0, so its product is exact.
  Simd::V h = Simd::sub(bounded, Simd::mul(k, Simd::set(0x1.62e42feep-2)));
  h = Simd::sub(h, Simd::mul(k, Simd::set(0x1.a39ef35793c76p-34)));
  // tanh h = odd / even for |h| <= log(2) / 4: the rational function of this form that agrees with
  // tanh h / h at the Chebyshev nodes of h^2, with relative error 5e-18.
  constexpr double kOdd[] = {1.0, 0.1110990683230030814666, 0.001057398808342579114941};
  constexpr double kEven[] = {1.0, 0.4444324016563283335618, 0.01586819936260769109383};
  const Simd::V square = Simd::mul(h, h);
  const Simd::V odd = Simd::mul(h, polynomialOf(kOdd, square));
  const Simd::V even = polynomialOf(kEven, square);
  // The addition theorem with tanh(k log(2) / 2) = (2^k - 1) / (2^k + 1); nothing cancels for k =
  // 0.
  const Simd::V one = Simd::set(1.0);
  const Simd::V power = Simd::timesPowerOfTwo(one, shifted);
  const Simd::V minus = Simd::sub(power, one);
  const Simd::V plus = Simd::add(power, one);
  const Simd::V above = Simd::add(Simd::mul(minus, even), Simd::mul(plus, odd));
  const Simd::V below = Simd::add(Simd::mul(plus, even), Simd::mul(minus, odd));
  return Simd::copySign(Simd::div(above, below), x);
}

/// Turns sums of units into what a product stores; `activated` belongs to the first of them.
template <ProductFinish kFinish, std::int64_t kRows, std::int64_t kVectors>
void finishAs([[maybe_unused]] const double* activated, Simd::V (&sums)[kRows][kVectors]) {
  [[maybe_unused]] const Simd::V zero = Simd::set(0.0);
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      Simd::V& sum = sums[r][v];
      if constexpr (kFinish == ProductFinish::kTanh) {
        sum = tanhOf(sum);
      } else if constexpr (kFinish == ProductFinish::kRelu) {
        // NaN is kept: it is not <= 0.
        sum = Simd::select(Simd::lessEqual(sum, zero), zero, sum);
      } else if constexpr (kFinish == ProductFinish::kTanhSlope) {
        const Simd::V unit = Simd::load(activated + r * kTileItems + v * Simd::kLanes);
        sum = Simd::mul(sum, Simd::sub(Simd::set(1.0), Simd::mul(unit, unit)));
      } else {
        sum = Simd::select(
            Simd::lessEqual(Simd::load(activated + r * kTileItems + v * Simd::kLanes), zero), zero,
            sum);
      }
    }
  }
}

template <std::int64_t kRows, std::int64_t kVectors>
void finish(const ProductTask& task, std::int64_t offset, Simd::V (&sums)[kRows][kVectors]) {
  switch (task.finish) {
    case ProductFinish::kNone:
      break;
    case ProductFinish::kTanh:
      finishAs<ProductFinish::kTanh>(nullptr, sums);
      break;
    case ProductFinish::kRelu:
      finishAs<ProductFinish::kRelu>(nullptr, sums);
      break;
    case ProductFinish::kTanhSlope:
      finishAs<ProductFinish::kTanhSlope>(task.activated + offset, sums);
      break;
    case ProductFinish::kReluSlope:
      finishAs<ProductFinish::kReluSlope>(task.activated + offset, sums);
      break;
  }
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
  const std::int64_t offset = row * kTileItems + item;
  finish(task, offset, sums);
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      Simd::store(sums[r][v], task.result + offset + r * kTileItems + v * Simd::kLanes);
    }
  }
}

template <std::int64_t kRows>
void productRows(const ProductTask& task, std::int64_t row) {
  // Enough sums at a time to hide the latency of an addition.
  constexpr std::int64_t kVectors = 8 / kRows;
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

/// kRows rows and kColumns columns of an outer sum; with the first columns, the sums of the rows.
template <std::int64_t kRows, std::int64_t kColumns, bool kWithRowSums>
void outerSumBlock(const OuterSumTask& task, std::int64_t row, std::int64_t column) {
  const double* const left = task.left + row * kTileItems;
  const double* const right = task.right + column * kTileItems;
  for (std::int64_t part = 0; part < kParts; ++part) {
    double* const to = task.sums + (row * task.columns + column) * kItemLanes + part * Simd::kLanes;
    double* const to_row = task.row_sums + row * kItemLanes + part * Simd::kLanes;
    const auto offset = [&](std::int64_t r, std::int64_t c) {
      return (r * task.columns + c) * kItemLanes;
    };
    Simd::V sums[kRows][kColumns];
    Simd::V row_sums[kRows];
    for (std::int64_t r = 0; r < kRows; ++r) {
      row_sums[r] = kWithRowSums ? Simd::load(to_row + r * kItemLanes) : Simd::set(0.0);
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
        if constexpr (kWithRowSums) {
          row_sums[r] = Simd::add(row_sums[r], factor);
        }
        for (std::int64_t c = 0; c < kColumns; ++c) {
          sums[r][c] = Simd::add(sums[r][c], Simd::mul(factor, values[c]));
        }
      }
    }
    for (std::int64_t r = 0; r < kRows; ++r) {
      if constexpr (kWithRowSums) {
        Simd::store(row_sums[r], to_row + r * kItemLanes);
      }
      for (std::int64_t c = 0; c < kColumns; ++c) {
        Simd::store(sums[r][c], to + offset(r, c));
      }
    }
  }
}

/// kRows rows of an outer sum. Few rows and many columns, or the other way round, fill the
/// registers.
template <std::int64_t kRows>
void outerSumRows(const OuterSumTask& task, std::int64_t row) {
  constexpr std::int64_t kColumns = 8 / kRows;
  std::int64_t column = 1;
  outerSumBlock<kRows, 1, true>(task, row, 0);
  for (; column + kColumns <= task.columns; column += kColumns) {
    outerSumBlock<kRows, kColumns, false>(task, row, column);
  }
  for (; column < task.columns; ++column) {
    outerSumBlock<kRows, 1, false>(task, row, column);
  }
}

inline void outerSum(const OuterSumTask& task) {
  std::int64_t row = 0;
  for (; row + 4 <= task.rows; row += 4) {
    outerSumRows<4>(task, row);
  }
  for (; row < task.rows; ++row) {
    outerSumRows<1>(task, row);
  }
}
