// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/math/policies/policy.hpp>

namespace dubito {

/// Makes Boost's functions return NaN, infinity or 0 instead of throwing: callers check the
/// arguments, and an overflow or underflow is a valid result.
using QuietPolicy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

}  // namespace dubito
