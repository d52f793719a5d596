// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/data/sources/annotated_images.h"
#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// Scheme of annotationsKind().
inline constexpr const char* kAnnotationsScheme = "annotations";

/// annotations:LABELS[,IMAGES]: the images that a label file or folder of another program labels
/// (readAnnotatedImages()), with these labels. IMAGES is the folder of the images, by default that
/// of the labels. Image ids are pathId() of the paths below it, as in folder:IMAGES. The score,
/// annotator, time and origin of each label are attributes.
///   format=KEY    LabelFormat; by default recognised by content
///   field=NAME    LabelImportOptions::field
[[nodiscard]] std::shared_ptr<const DatasetKind> annotationsKind();

/// The labels and images that a specification of this kind names.
[[nodiscard]] AnnotationSource annotationSource(const DatasetSpec& spec);
/// The name of the dataset: that of the folder of the images.
[[nodiscard]] std::string annotationsName(const AnnotatedImages& images);
/// The specification with absolute paths that opens the images of `source` with its labels.
[[nodiscard]] std::string annotationsSpec(const AnnotationSource& source);

/// The specification `spec` of annotationsKind() with another folder of images; empty for a
/// specification of another kind.
[[nodiscard]] std::string annotationsSpecIn(const std::string& spec, const std::string& images);

}  // namespace dubito
