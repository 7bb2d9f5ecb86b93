#pragma once

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.

#include <benchkit/core/csv.hpp>
#include <benchkit/core/decimal.hpp>
#include <benchkit/core/uint256.hpp>
#include <benchkit/core/version.hpp>  // first: it says what the compiler lacks

#include <benchkit/core/base64.hpp>
#include <benchkit/core/bytes.hpp>
#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/fixed_log.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/core/zlib.hpp>

#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_codec.hpp>
#include <benchkit/stats/histogram_layout.hpp>
#include <benchkit/stats/median.hpp>
#include <benchkit/stats/sign_interval.hpp>

#include <benchkit/platform/folder.hpp>
#include <benchkit/platform/limits.hpp>
#include <benchkit/platform/listening_process.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/proc_file.hpp>
#include <benchkit/platform/processor_time.hpp>
#include <benchkit/platform/resources.hpp>
#include <benchkit/platform/thread_times.hpp>

#include <benchkit/result/cause.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/distribution.hpp>
#include <benchkit/result/environment.hpp>
#include <benchkit/result/json_stream.hpp>
#include <benchkit/result/json_syntax.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/judge_figures.hpp>
#include <benchkit/result/judge_open_loop.hpp>
#include <benchkit/result/judge_outcome.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/operation_failed.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/print_tables.hpp>
#include <benchkit/result/requirement.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/result/wording.hpp>

#include <benchkit/exec/alarm.hpp>
#include <benchkit/exec/asio.hpp>
#include <benchkit/exec/awaitable.hpp>
#include <benchkit/exec/bounded_queue.hpp>
#include <benchkit/exec/deadline_queue.hpp>
#include <benchkit/exec/edge_wait.hpp>
#include <benchkit/exec/error_name.hpp>
#include <benchkit/exec/executors.hpp>
#include <benchkit/exec/interrupt.hpp>
#include <benchkit/exec/intrusive_list.hpp>
#include <benchkit/exec/run.hpp>
#include <benchkit/exec/scheduler.hpp>
#include <benchkit/exec/shard.hpp>
#include <benchkit/exec/timer_heap.hpp>
#include <benchkit/exec/wait_group.hpp>
#include <benchkit/exec/waiter.hpp>

#include <benchkit/http/address_list.hpp>
#include <benchkit/http/chunked.hpp>
#include <benchkit/http/client.hpp>
#include <benchkit/http/connect_plan.hpp>
#include <benchkit/http/connection.hpp>
#include <benchkit/http/connector.hpp>
#include <benchkit/http/cookie_jar.hpp>
#include <benchkit/http/delay.hpp>
#include <benchkit/http/expectation.hpp>
#include <benchkit/http/failure.hpp>
#include <benchkit/http/faults.hpp>
#include <benchkit/http/framing.hpp>
#include <benchkit/http/garbage.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/head_reader.hpp>
#include <benchkit/http/headers.hpp>
#include <benchkit/http/journey.hpp>
#include <benchkit/http/listener.hpp>
#include <benchkit/http/prepared_reply.hpp>
#include <benchkit/http/redirect.hpp>
#include <benchkit/http/reply.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/request_list.hpp>
#include <benchkit/http/request_log.hpp>
#include <benchkit/http/request_parser.hpp>
#include <benchkit/http/response_parser.hpp>
#include <benchkit/http/router.hpp>
#include <benchkit/http/secure_channel.hpp>
#include <benchkit/http/server.hpp>
#include <benchkit/http/server_connection.hpp>
#include <benchkit/http/server_state.hpp>
#include <benchkit/http/session.hpp>
#include <benchkit/http/socket_input.hpp>
#include <benchkit/http/stall.hpp>
#include <benchkit/http/status.hpp>
#include <benchkit/http/stream_socket.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/http/text_template.hpp>
#include <benchkit/http/transfer.hpp>
#include <benchkit/http/unix_path.hpp>
#include <benchkit/http/url.hpp>

#include <benchkit/load/arrival_feed.hpp>
#include <benchkit/load/arrival_schedule.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/books.hpp>
#include <benchkit/load/client_stream.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/connect_backoff.hpp>
#include <benchkit/load/coroutine_load.hpp>
#include <benchkit/load/exact_rate.hpp>
#include <benchkit/load/find_max_rate.hpp>
#include <benchkit/load/format_arrivals.hpp>
#include <benchkit/load/http_load.hpp>
#include <benchkit/load/http_recorder.hpp>
#include <benchkit/load/journey_load.hpp>
#include <benchkit/load/list_load.hpp>
#include <benchkit/load/load.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/load_loop.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/load/load_result.hpp>
#include <benchkit/load/load_run.hpp>
#include <benchkit/load/load_shard.hpp>
#include <benchkit/load/load_state.hpp>
#include <benchkit/load/matrix.hpp>
#include <benchkit/load/matrix_options.hpp>
#include <benchkit/load/matrix_order.hpp>
#include <benchkit/load/matrix_result.hpp>
#include <benchkit/load/matrix_row.hpp>
#include <benchkit/load/matrix_run.hpp>
#include <benchkit/load/matrix_runs.hpp>
#include <benchkit/load/open_loop.hpp>
#include <benchkit/load/operation_budget.hpp>
#include <benchkit/load/parse_arrivals.hpp>
#include <benchkit/load/parse_matrix_row.hpp>
#include <benchkit/load/poisson_schedule.hpp>
#include <benchkit/load/ramp_schedule.hpp>
#include <benchkit/load/read_trace.hpp>
#include <benchkit/load/recorder.hpp>
#include <benchkit/load/series_recorder.hpp>
#include <benchkit/load/shard_rate.hpp>
#include <benchkit/load/stage_schedule.hpp>
#include <benchkit/load/step_books.hpp>
#include <benchkit/load/validate_arrivals.hpp>
#include <benchkit/load/validate_open_loop.hpp>

#include <benchkit/report/ab.hpp>
#include <benchkit/report/ab_figures.hpp>
#include <benchkit/report/ab_files.hpp>
#include <benchkit/report/ab_options.hpp>
#include <benchkit/report/httpress.hpp>
#include <benchkit/report/matrix.hpp>
#include <benchkit/report/max_rate.hpp>
#include <benchkit/report/text.hpp>
#include <benchkit/report/wrk.hpp>

// Optional parts; a macro that is not defined means 0.
#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS
#include <benchkit/http/tls.hpp>
#endif

#if defined(BENCHKIT_WITH_JSON) && BENCHKIT_WITH_JSON
#include <benchkit/http/expect_json.hpp>
#include <benchkit/http/requests_file.hpp>
#include <benchkit/result/json_reader.hpp>
#endif
