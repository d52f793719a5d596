// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_methods.h"

#include "core/base/find_by_key.h"

namespace dubito {

const std::vector<ClassMethodInfo>& classMethods() {
  static const std::vector<ClassMethodInfo> methods = [] {
    std::vector<ClassMethodInfo> all;
    for (const auto& rows :
         {trainedClassMethods(), laplaceClassMethods(), sampledClassMethods(), gpClassMethods()}) {
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }();
  return methods;
}

const ClassMethodInfo* findClassMethod(std::string_view key) {
  return findByKey(classMethods(), key);
}

}  // namespace dubito
