// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/weight_path.h"

#include <algorithm>
#include <array>
#include <vector>

namespace dubito {
namespace {

using Parts = std::vector<std::string_view>;

constexpr std::size_t kMaxParts = 24;
constexpr std::size_t kMaxPartLength = 64;

Parts split(std::string_view text, char separator) {
  Parts parts;
  while (!text.empty() && parts.size() < kMaxParts) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) {
      parts.push_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool isWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string joined(const Parts& parts) {
  std::string path;
  for (const std::string_view part : parts) {
    path += path.empty() ? "" : ".";
    for (const char c : part.substr(0, kMaxPartLength)) {
      path += isWordLetter(c) ? c : '_';
    }
  }
  return path;
}

/// The parts of "/layer1/layer1.0/conv1/Conv": layer1, 0, conv1.
Parts modulesInName(std::string_view name) {
  Parts scopes = split(name, '/');
  if (scopes.size() < 2) {
    return {};
  }
  scopes.pop_back();  // the operator
  Parts parts;
  std::string_view previous;
  for (const std::string_view scope : scopes) {
    const bool repeats = !previous.empty() && scope.size() > previous.size() + 1 &&
                         scope.starts_with(previous) && scope[previous.size()] == '.';
    const Parts own = split(repeats ? scope.substr(previous.size() + 1) : scope, '.');
    parts.insert(parts.end(), own.begin(), own.end());
    previous = scope;
  }
  return parts;
}

/// The parts of the last module but one in "['', 'layer1', 'layer1.0.conv1', 'conv2d_1']".
Parts modulesInScopes(std::string_view scopes) {
  const Parts quoted = split(scopes, '\'');
  Parts names;
  for (const std::string_view text : quoted) {
    if (std::ranges::any_of(text, isWordLetter)) {
      names.push_back(text);
    }
  }
  return names.size() < 2 ? Parts() : split(names[names.size() - 2], '.');
}

}  // namespace

bool isNameOfModule(std::string_view name) {
  constexpr std::array<std::string_view, 4> kMade = {"val_", "_val_", "onnx__", "Constant_"};
  const bool is_path =
      std::ranges::all_of(name, [](char c) { return isWordLetter(c) || c == '.'; });
  const bool is_made = std::ranges::any_of(
      kMade, [name](std::string_view start) { return name.starts_with(start); });
  const bool is_number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return is_path && !is_made && !is_number && name.size() <= 200 &&
         name.find('.') != std::string_view::npos;
}

std::string weightPath(const OnnxNode& node, std::string_view weight_name, std::string_view role) {
  if (isNameOfModule(weight_name)) {
    return joined(split(weight_name, '.'));
  }
  Parts parts = node.scopes.empty() ? modulesInName(node.name) : modulesInScopes(node.scopes);
  if (parts.empty()) {
    const std::string_view name = node.name.empty() ? node.op : node.name;
    parts.push_back(name);
  }
  parts.push_back(role);
  return joined(parts);
}

}  // namespace dubito
