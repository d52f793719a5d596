// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/analysis/analysis.h"
#include "widgets/ridge_plot.h"

namespace dubito {

/// The Dirichlet distribution over the class probabilities of one item, limited to its most likely
/// classes.
struct ItemDirichletView {
  /// Beta marginals, one per class; filled if the class is in the top-k set.
  std::vector<Ridge> ridges;
  QString note;  ///< source and precision of the Dirichlet, or why none is available
};

/// Limited to `max_classes` classes, always including the true one.
[[nodiscard]] ItemDirichletView itemDirichlet(const Analysis& analysis, ItemRef item,
                                              int max_classes);

}  // namespace dubito
