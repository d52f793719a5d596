// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito::test {

/// main() of a GoogleTest program. With --source=NAME, as used by ctest, runs only the tests in the
/// file NAME.cpp and fails if there are none.
int runTests(int argc, char** argv);

}  // namespace dubito::test
