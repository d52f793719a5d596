// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito::cli {

/// A setting as it is written on the command line: "--layers last", "?items=0:N", "no --to", or
/// the key of the metadata file.
[[nodiscard]] std::string flagText(const Setting& setting);

/// "--swa or --swag", "--sampler hmc and --adapt".
[[nodiscard]] std::string flagText(const Requirement& requirement);

/// The message of an error, followed by the flags of its settings in parentheses.
[[nodiscard]] std::string messageWithFlags(const Error& error);

}  // namespace dubito::cli
