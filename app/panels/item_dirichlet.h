// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/analysis/analysis.h"
#include "widgets/ridge_plot.h"

namespace dubito {

/// The Dirichlet over the probabilities of one item, as its likeliest classes show it.
struct ItemDirichletView {
  std::vector<Ridge> ridges;  ///< Beta marginals; those of the top-k set are filled
  QString note;               ///< where it comes from, how precise it is; or why there is none
};

/// At most `most` classes, with the true one in any case.
[[nodiscard]] ItemDirichletView itemDirichlet(const Analysis& analysis, ItemRef item, int most);

}  // namespace dubito
