// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/helper_functions.h"

#include <stdexcept>

namespace dubito {
namespace {

const HelperFunction& find(std::string_view name) {
  for (const auto topic :
       {shapeHelpers(), indexHelpers(), imageHelpers(), layerHelpers(), attentionHelpers()}) {
    for (const HelperFunction& helper : topic) {
      if (helper.name == name) {
        return helper;
      }
    }
  }
  throw std::out_of_range("no helper function " + std::string(name));
}

void append(std::string_view name, std::set<std::string_view>& done, std::string& source) {
  const HelperFunction& helper = find(name);
  if (!done.insert(helper.name).second) {
    return;
  }
  for (const std::string_view callee : helper.callees) {
    if (!callee.empty()) {
      append(callee, done, source);
    }
  }
  source += helper.source.substr(1);
}

}  // namespace

std::string helperSource(const std::set<std::string_view>& names) {
  std::set<std::string_view> done;
  std::string source;
  for (const std::string_view name : names) {
    append(name, done, source);
  }
  return source;
}

}  // namespace dubito
