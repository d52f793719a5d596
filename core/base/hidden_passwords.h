// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Overwrites the passwords of server addresses (postgresql://USER:PASSWORD@HOST, password=...) in
/// the arguments of this process by '*': other users of the machine can list arguments. Call it
/// once they have been read.
void hidePasswords(int argc, char** argv);

}  // namespace dubito
