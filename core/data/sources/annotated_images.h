// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// Labels of another program and the folder of their images.
struct AnnotationSource {
  std::string labels;       ///< label file or folder
  std::string images = {};  ///< folder of the images; empty: the folder of the labels
  std::string format = {};  ///< key of a LabelFormat; empty: recognised by content
  std::string field = {};   ///< LabelImportOptions::field
};

/// The images of a folder that a label file labels. N images in byte order of their paths, K
/// classes.
struct AnnotatedImages {
  std::string label_path;          ///< label file or folder that was read
  std::string format;              ///< key of its LabelFormat
  std::string folder;              ///< of the images
  std::vector<std::string> paths;  ///< [N], relative to `folder`, separated by '/'
  std::vector<std::int64_t> ids;   ///< [N], pathIds()
  /// [N], the label of each image. `class_id` is set and, like `probs`, counts `class_names`.
  std::vector<LabelRow> rows;
  std::vector<std::string> class_names;  ///< [K], in the order of the file
  std::vector<std::string> not_found;    ///< images of labels that the folder does not contain
  std::vector<std::string> ambiguous;    ///< images of labels that could be several files
  /// What was left out or decided, with all names, including the two lists above.
  std::vector<LabelNote> notes;
};

/// Reads labels and finds their images in the folder: by relative path, then by file name if only
/// one image has it (matchRows()), then by the hash of the file if the format stores one. Nothing
/// outside of the folder is looked at. If several rows label one image, the highest score counts if
/// all rows have one and no annotator, else weighLabels() decides. kUnsupported for label files
/// above 1 GiB; kNotFound, with Remedy::needs_images, if no image is found; errors of
/// recogniseLabels, importLabels and scanFolder. The message states the file, the reason and the
/// remedy.
[[nodiscard]] Expected<AnnotatedImages> readAnnotatedImages(const AnnotationSource& source,
                                                            RunContext& context);

}  // namespace dubito
