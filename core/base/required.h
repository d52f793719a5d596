// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// A member that every initialiser has to name: there is no value unless one is chosen.
template <class T>
class Required {
 public:
  constexpr Required(T value) : value_(value) {}   // NOLINT(google-explicit-constructor)
  constexpr operator T() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  T value_;
};

}  // namespace dubito
