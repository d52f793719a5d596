// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito::test {

/// main() of a GoogleTest program. With --source=NAME it runs only the tests that stand in the file
/// NAME.cpp, which is how ctest starts it, and fails if there are none.
int runTests(int argc, char** argv);

}  // namespace dubito::test
