// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_text.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

std::optional<std::string> valueOf(const std::string& name, const StudyVariables& variables) {
  if (const auto found = variables.find(name); found != variables.end()) {
    return found->second;
  }
  const char* const value = std::getenv(name.c_str());
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

std::string expandedText(const JsonNode& node, const StudyVariables& variables) {
  const std::string text = node.text();
  std::string expanded;
  std::size_t from = 0;
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", from)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) {
      node.fail("a \"${\" has no \"}\"; close the name of the variable");
    }
    expanded += text.substr(from, at - from);
    const std::string inside = text.substr(at + 2, end - at - 2);
    const std::size_t split = inside.find(":-");
    const std::string name = inside.substr(0, split);
    if (const auto value = valueOf(name, variables)) {
      expanded += *value;
    } else if (split != std::string::npos) {
      expanded += inside.substr(split + 2);
    } else {
      node.fail(
          fmt::format("{} is no entry of \"variables\" and is not set in the environment; "
                      "add it, or write a default as in ${{NAME:-TEXT}}",
                      inQuotes(name)));
    }
    from = end + 1;
  }
  return expanded + text.substr(from);
}

StudyVariables studyVariables(const JsonNode& root) {
  StudyVariables variables;
  const auto node = root.find("variables");
  if (!node) {
    return variables;
  }
  if (!node->value().is_object()) {
    node->fail("is not an object; write {\"NAME\": \"TEXT\", ...}");
  }
  for (const auto& item : node->value().items()) {
    variables[item.key()] = expandedText(*node->find(item.key()), variables);
  }
  return variables;
}

}  // namespace dubito
