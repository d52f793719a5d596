// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace dubito::test {

// A few images that another program has labelled, as its users hold them in their hands.

inline constexpr int kImages = 12;
inline constexpr const char* kNames[] = {"cat", "dog", "owl"};

/// The class that the program gave an image: cat, dog, owl, cat, ...
[[nodiscard]] QString className(int image);
[[nodiscard]] std::string fileName(int image);
/// The first image is the least sure one.
[[nodiscard]] double score(int image);

/// Writes the images into a new folder. Throws std::runtime_error.
void writeImages(const std::string& folder);

/// What writeLabels() can write: files and folders as other programs leave them.
[[nodiscard]] std::vector<std::string> labelFormats();
/// Writes the labels of all images into their folder, or moves the images into folders of their
/// classes; returns the file or folder to open. Those of CVAT, labelme and folders have no scores.
std::string writeLabels(const std::string& folder, const std::string& format);

}  // namespace dubito::test
