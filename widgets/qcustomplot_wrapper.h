// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only file that includes qcustomplot.h: that header uses Qt keywords, which are disabled in
// our own code.
#pragma push_macro("signals")
#pragma push_macro("slots")
#pragma push_macro("emit")
#pragma push_macro("foreach")
#undef signals
#undef slots
#undef emit
#undef foreach
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit
#define foreach Q_FOREACH
#include <qcustomplot.h>
#pragma pop_macro("foreach")
#pragma pop_macro("emit")
#pragma pop_macro("slots")
#pragma pop_macro("signals")
