// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Joins the PNG files `frames`, all of one size and pixel format, to one animated PNG at `path`
/// that repeats for ever: browsers and LibreOffice play it, other programs show the first frame.
/// Lossless, frame by frame, since Qt writes no animations. kReadFailed or kMalformed, naming the
/// frame, and kWriteFailed; nothing is left at `path` then.
[[nodiscard]] Status writeAnimatedPng(const QStringList& frames, int frames_per_second,
                                      const QString& path, RunContext& context);

}  // namespace dubito
