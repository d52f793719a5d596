// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/vector_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/measures/vector_math.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target.h, which includes this file again.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

V widened(const double* values) {
  return hn::LoadU(D(), values);
}
V widened(const float* values) {
  return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), values));
}

template <class T>
V entropyTermAt(const T* probs) {
  const D d;
  const V p = widened(probs);
  const V positive = hn::IfThenZeroElse(hn::Lt(p, hn::Zero(d)), p);
  const V smallest = hn::Set(d, std::numeric_limits<double>::denorm_min());
  return hn::Neg(hn::Mul(positive, hn::Log(d, hn::Max(positive, smallest))));
}

V exponentialAt(const double* values) {
  const V x = widened(values);
  // Highway's is 0 for NaN.
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(D(), x));
}

/// Writes `function_at` of each of `count` numbers; `results` may be the numbers themselves.
template <class T, V (*function_at)(const T*)>
void ofNumbers(const T* numbers, std::size_t count, double* results) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(function_at(numbers + i), d, results + i);
  }
  if (i < count) {
    T rest[8] = {};
    std::copy(numbers + i, numbers + count, rest);
    double results_of_rest[8];
    hn::StoreU(function_at(rest), d, results_of_rest);
    std::copy(results_of_rest, results_of_rest + (count - i), results + i);
  }
}

void termsOfDoubles(const double* probs, std::size_t count, double* terms) {
  ofNumbers<double, entropyTermAt<double>>(probs, count, terms);
}
void termsOfFloats(const float* probs, std::size_t count, double* terms) {
  ofNumbers<float, entropyTermAt<float>>(probs, count, terms);
}
void exponentialsOf(double* values, std::size_t count) {
  ofNumbers<double, exponentialAt>(values, count, values);
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DUBITO_HAS_HIGHWAY

#if !defined(DUBITO_HAS_HIGHWAY) || HWY_ONCE

namespace dubito {

#ifdef DUBITO_HAS_HIGHWAY
namespace {
HWY_EXPORT(termsOfDoubles);
HWY_EXPORT(termsOfFloats);
HWY_EXPORT(exponentialsOf);
}  // namespace

void entropyTerms(const double* probs, std::size_t count, double* terms) {
  HWY_DYNAMIC_DISPATCH(termsOfDoubles)(probs, count, terms);
}
void entropyTerms(const float* probs, std::size_t count, double* terms) {
  HWY_DYNAMIC_DISPATCH(termsOfFloats)(probs, count, terms);
}
void exponentials(std::span<double> values) {
  HWY_DYNAMIC_DISPATCH(exponentialsOf)(values.data(), values.size());
}
#else
namespace {
double termOf(double p) {
  return p > 0.0 || std::isnan(p) ? -p * std::log(p) : 0.0;
}
}  // namespace

void entropyTerms(const double* probs, std::size_t count, double* terms) {
  std::transform(probs, probs + count, terms, termOf);
}
void entropyTerms(const float* probs, std::size_t count, double* terms) {
  std::transform(probs, probs + count, terms, termOf);
}
void exponentials(std::span<double> values) {
  std::ranges::transform(values, values.begin(), [](double value) { return std::exp(value); });
}
#endif

}  // namespace dubito

#endif
