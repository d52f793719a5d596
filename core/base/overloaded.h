// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// One callable of several lambdas, for std::visit.
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace dubito
