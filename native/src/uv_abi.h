// The few functions of libuv that upstream/uv_reactor.cc needs, as version 1 of its ABI has them.
//
// Declared here because libuv's headers are not everywhere: Node-API's (the `node-api-headers`
// package) leave them out, although they hand out the loop, and distributions put them into a
// package of their own. Node links libuv statically and exports its functions; libuv promises that
// functions and numbers of version 1 stay, not that structures do. So a handle is opaque here:
// memory of `uv_handle_size` bytes whose fields nobody touches. `uv_version` and the names that
// `uv_handle_type_name` gives to the numbers below are compared before anything else is called.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct uv_loop_s;
struct uv_handle_s;
struct uv_poll_s;
struct uv_prepare_s;
struct uv_check_s;
struct uv_idle_s;
struct uv_timer_s;

unsigned int uv_version(void);

std::size_t uv_handle_size(int type);
const char* uv_handle_type_name(int type);
void uv_handle_set_data(uv_handle_s* handle, void* data);
void* uv_handle_get_data(const uv_handle_s* handle);
void uv_ref(uv_handle_s* handle);
void uv_unref(uv_handle_s* handle);
void uv_close(uv_handle_s* handle, void (*closed)(uv_handle_s* handle));

std::uint64_t uv_now(const uv_loop_s* loop);

int uv_poll_init(uv_loop_s* loop, uv_poll_s* handle, int socket);
int uv_poll_start(uv_poll_s* handle, int events,
                  void (*ready)(uv_poll_s* handle, int status, int events));
int uv_poll_stop(uv_poll_s* handle);

int uv_prepare_init(uv_loop_s* loop, uv_prepare_s* handle);
int uv_prepare_start(uv_prepare_s* handle, void (*call)(uv_prepare_s* handle));

int uv_check_init(uv_loop_s* loop, uv_check_s* handle);
int uv_check_start(uv_check_s* handle, void (*call)(uv_check_s* handle));

int uv_idle_init(uv_loop_s* loop, uv_idle_s* handle);
int uv_idle_start(uv_idle_s* handle, void (*call)(uv_idle_s* handle));
int uv_idle_stop(uv_idle_s* handle);

int uv_timer_init(uv_loop_s* loop, uv_timer_s* handle);
int uv_timer_start(uv_timer_s* handle, void (*call)(uv_timer_s* handle), std::uint64_t delay_ms,
                   std::uint64_t repeat_ms);
int uv_timer_stop(uv_timer_s* handle);

}  // extern "C"

namespace weir::uv {

// uv_handle_type
inline constexpr int kCheck = 2;
inline constexpr int kIdle = 6;
inline constexpr int kPoll = 8;
inline constexpr int kPrepare = 9;
inline constexpr int kTimer = 13;

// uv_poll_event
inline constexpr int kReadable = 1;
inline constexpr int kWritable = 2;

inline constexpr unsigned kMajorVersion = 1;

}  // namespace weir::uv
