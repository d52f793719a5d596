// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attribution/attribution_options.h"

#include "core/attribution/attribution_methods.h"

namespace dubito {

std::vector<Field> AttributionOptions::fields() {
  std::vector<std::string> methods;
  for (const AttributionMethod& known : allAttributionMethods()) {
    methods.push_back(known.key);
  }
  return {{{.name = "method",
            .label = "Method",
            .help = "how the pixels that matter are found",
            .choices = std::move(methods)},
           &method},
          {{.name = "steps",
            .label = "Steps",
            .help = "points between baseline and image, for integrated gradients",
            .min = 1,
            .max = 4096},
           &steps},
          {{.name = "baseline",
            .label = "Baseline",
            .help = "the image without information: network inputs of 0, or the image's mean",
            .choices = {"zero", "image-mean"}},
           &baseline},
          {{.name = "window",
            .label = "Window",
            .help = "side of the occluded window, as a share of the image's side",
            .min = 0.0,
            .max = 1.0},
           &window},
          {{.name = "stride",
            .label = "Stride",
            .help = "distance between two occluded windows, as a share of the image's side",
            .min = 0.0,
            .max = 1.0},
           &stride}};
}

Status AttributionOptions::check() const {
  AttributionOptions copy = *this;
  if (Status fields = checkFields(copy.fields()); !fields) {
    return fields;
  }
  if (stride > window) {
    return fail(ErrorCode::kInvalidArgument,
                "the stride is larger than the window, so that some pixels are never occluded; "
                "choose a smaller stride",
                {setting("stride")});
  }
  return {};
}

}  // namespace dubito
