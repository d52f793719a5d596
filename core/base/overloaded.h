// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Combines several lambdas into one overloaded callable, for std::visit.
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace dubito
