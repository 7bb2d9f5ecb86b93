#pragma once

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.

#include <benchkit/core/base64.hpp>
#include <benchkit/core/bytes.hpp>
#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/core/zlib.hpp>

#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_codec.hpp>
#include <benchkit/stats/histogram_layout.hpp>

#include <benchkit/platform/limits.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/proc_file.hpp>
#include <benchkit/platform/resources.hpp>

#include <benchkit/result/cause.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/distribution.hpp>
#include <benchkit/result/result.hpp>

#include <benchkit/http/chunked.hpp>
#include <benchkit/http/framing.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/head_reader.hpp>
#include <benchkit/http/headers.hpp>
#include <benchkit/http/reply.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/request_parser.hpp>
#include <benchkit/http/response_parser.hpp>
#include <benchkit/http/status.hpp>
#include <benchkit/http/url.hpp>
