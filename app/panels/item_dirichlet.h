// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/analysis/analysis.h"
#include "widgets/ridge_plot.h"

namespace dubito {

/// Dirichlet over the class probabilities of one item, for its most likely classes.
struct ItemDirichletView {
  std::vector<Ridge> ridges;  ///< Beta marginals; those of the top-k set are filled
  QString note;               ///< origin and precision, or why there is no Dirichlet
};

/// At most `most` classes, always including the true one.
[[nodiscard]] ItemDirichletView itemDirichlet(const Analysis& analysis, ItemRef item, int most);

}  // namespace dubito
