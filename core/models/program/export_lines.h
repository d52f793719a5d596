// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// What people hold of a network that is not a file of a network that can be opened.
enum class HeldNetwork {
  kStateDict,         ///< weights that torch.save wrote
  kPickledModule,     ///< a whole module that torch.save wrote
  kSafetensors,       ///< weights
  kHuggingFace,       ///< a folder that save_pretrained of transformers wrote
  kTimm,              ///< a folder of a network of timm, as on the Hugging Face hub
  kKeras,             ///< a file that save of Keras wrote
  kTensorFlow,        ///< a folder that tf.saved_model.save wrote
  kTensorFlowLite,    ///< a .tflite file
  kWithoutItsSource,  ///< compiled for a machine, or of another library
};

/// Lines for Python or, where they begin with "python -m", for a shell, that write a network which
/// can be opened from the file or folder at `path`. Names of files in them are quoted.
[[nodiscard]] std::string exportLines(HeldNetwork held, const std::string& path);

/// Fails with kUnsupported: `what` the file is, followed by what to do. The remedy has
/// exportLines(). `details` are for the log.
[[nodiscard]] tl::unexpected<Error> refuseHeld(const std::string& path, const std::string& what,
                                               HeldNetwork held, const std::string& details = {});

}  // namespace dubito
