// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace dubito {

/// `text` as XML 1.0 allows it: invalid UTF-8 and control characters become U+FFFD.
[[nodiscard]] std::string xmlText(const std::string& text);

/// A new document with the declaration of XML 1.0 in UTF-8.
[[nodiscard]] pugi::xml_document newXml();
/// The document as text, indented by two spaces per level.
[[nodiscard]] std::string textOfXml(const pugi::xml_document& document);

/// Parses XML of unknown origin; entities other than those of XML stay as they are. kMalformed,
/// beginning with `path`, with line and column, and ending with `remedy`.
[[nodiscard]] Status parseXml(std::string_view text, const std::string& path,
                              const std::string& remedy, pugi::xml_document& document);

}  // namespace dubito
