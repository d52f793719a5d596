// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace dubito {

/// A point in the box of a character; y points down.
struct GlyphPoint {
  double x = 0.0;
  double y = 0.0;
};

/// A polyline, drawn without lifting the pen.
using GlyphStroke = std::vector<GlyphPoint>;

/// The available characters, in the order of their classes.
inline constexpr std::string_view kGlyphCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The strokes of character `number` of kGlyphCharacters, in a box from (0, 0) at the top left to
/// (1, 1) at the bottom right.
[[nodiscard]] const std::vector<GlyphStroke>& glyphStrokes(std::size_t number);

}  // namespace dubito
