// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/feature_basis.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace dubito {

FeatureBasis::FeatureBasis(Kind kind, std::int64_t size, Interval range)
    : kind_(kind), size_(size), range_(range) {
  if (size < 1) {
    throw std::invalid_argument("FeatureBasis: size must be at least 1");
  }
  if (!(range_.high > range_.low)) {
    range_ = {range_.low - 0.5, range_.low + 0.5};
  }
}

std::int64_t FeatureBasis::count() const {
  return 1 + (kind_ == Kind::kFourier ? 2 * size_ : size_);
}

Array<double> FeatureBasis::features(std::span<const double> x) const {
  auto result = Array<double>::zeros({static_cast<std::int64_t>(x.size()), count()});
  for (std::size_t i = 0; i < x.size(); ++i) {
    write(x[i], result.mutableRow(static_cast<std::int64_t>(i)));
  }
  return result;
}

void FeatureBasis::write(double x, std::span<double> values) const {
  const double width = range_.high - range_.low;
  values[0] = 1.0;
  switch (kind_) {
    case Kind::kPowers:
      for (std::size_t k = 1; k < values.size(); ++k) {
        values[k] = values[k - 1] * x;
      }
      return;
    case Kind::kPolynomial: {
      // (k + 1) P_(k+1) = (2 k + 1) u P_k - k P_(k-1)
      const double u = 2.0 * (x - range_.low) / width - 1.0;
      double before = 0.0;
      double legendre = 1.0;
      for (std::size_t k = 1; k < values.size(); ++k) {
        const auto degree = static_cast<double>(k);
        const double next =
            ((2.0 * degree - 1.0) * u * legendre - (degree - 1.0) * before) / degree;
        before = legendre;
        legendre = next;
        values[k] = std::sqrt(2.0 * degree + 1.0) * legendre;
      }
      return;
    }
    case Kind::kRadial: {
      const double spacing = size_ > 1 ? width / static_cast<double>(size_ - 1) : width;
      const double first = size_ > 1 ? range_.low : range_.low + 0.5 * width;
      for (std::size_t k = 1; k < values.size(); ++k) {
        const double r = (x - first) / spacing - static_cast<double>(k - 1);
        values[k] = std::exp(-0.5 * r * r);
      }
      return;
    }
    case Kind::kFourier:
      for (std::int64_t k = 1; k <= size_; ++k) {
        const double angle = std::numbers::pi * static_cast<double>(k) * (x - range_.low) / width;
        values[static_cast<std::size_t>(2 * k - 1)] = std::cos(angle);
        values[static_cast<std::size_t>(2 * k)] = std::sin(angle);
      }
      return;
  }
}

FeatureBasis::Kind parseBasis(const std::string& name) {
  if (name == "powers") {
    return FeatureBasis::Kind::kPowers;
  }
  if (name == "polynomial") {
    return FeatureBasis::Kind::kPolynomial;
  }
  if (name == "radial") {
    return FeatureBasis::Kind::kRadial;
  }
  if (name == "fourier") {
    return FeatureBasis::Kind::kFourier;
  }
  throw std::invalid_argument("parseBasis: unknown basis " + name);
}

}  // namespace dubito
