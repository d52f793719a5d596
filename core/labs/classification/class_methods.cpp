// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_methods.h"

#include <algorithm>

namespace dubito {

const std::vector<ClassMethodInfo>& classMethods() {
  static const std::vector<ClassMethodInfo> methods{
      mapClassMethod(),         ensembleClassMethod(),        dropoutClassMethod(),
      laplaceDiagClassMethod(), laplaceKronClassMethod(),     laplaceFullClassMethod(),
      laplaceAllClassMethod(),  bayesByBackpropClassMethod(), hmcClassMethod(),
      gpClassMethod()};
  return methods;
}

const ClassMethodInfo* findClassMethod(std::string_view key) {
  const auto& all = classMethods();
  const auto found = std::ranges::find(all, key, &ClassMethodInfo::key);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace dubito
