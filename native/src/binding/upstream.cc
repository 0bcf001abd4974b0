// The upstream client as functions of numbers, strings and shared memory. Called by
// src/upstream/native/client.ts. An environment has at most one client.
//
// JS allocates the memory of the batches and lends it for good with createClient; each batch is one
// call of its function with the number of records. What comes for a call that is over is ignored
// here, and numbers that never were are refused, so that the client only meets its own.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "binding/exports.h"
#include "binding/upstream_owner.h"
#include "binding/values.h"
#include "upstream/client.h"

namespace weir::binding {

namespace {

using upstream::Address;
using upstream::BackendOptions;
using upstream::Client;
using upstream::ClientOptions;
using upstream::Request;

// Beside a call's number, in what send() returns: the body may begin.
constexpr std::int32_t kBodyWanted = 1 << 30;
// flags of send()
constexpr std::uint32_t kHeadMethod = 1;
constexpr std::uint32_t kIdempotent = 2;
// A method that usually has a body: that it has none is said (RFC 9110 8.6).
constexpr std::uint32_t kSaysEmpty = 4;
constexpr std::uint64_t kNumberMax = 0x7fffffff;

template <std::size_t count>
using UpstreamArguments = Arguments<count, UpstreamOwner>;

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

template <std::size_t count>
bool read_numbers(napi_env env, const napi_value* values, std::uint64_t most,
                  std::uint64_t (&out)[count]) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_number(env, values[i], out[i]) || out[i] > most) return false;
  }
  return true;
}

// createClient(records, arena, onBatch, headBytes, headerLines, idleMs, idleHintedMs, reuseMs,
// bodyBufferBytes, seed)
napi_value create_client(napi_env env, napi_callback_info info) {
  UpstreamArguments<10> arguments(env, info);
  std::uint64_t numbers[6]{};
  ClientOptions options;
  if (arguments.given < 10 || !read_numbers(env, arguments.values + 3, kNumberMax, numbers) ||
      !read_number(env, arguments.values[9], options.random_seed)) {
    return refuse(env, "createClient(records, arena, onBatch, …numbers)");
  }
  if (arguments.state->is_open()) return refuse(env, "there is a client");
  options.parser.head_bytes = numbers[0];
  options.parser.header_lines = numbers[1];
  options.idle_ms = narrow(numbers[2]);
  options.idle_hinted_ms = narrow(numbers[3]);
  options.reuse_ms = narrow(numbers[4]);
  options.body_buffer_bytes = numbers[5];
  const char* const reason =
      arguments.state->open(options, arguments.values[0], arguments.values[1], arguments.values[2]);
  return reason == nullptr ? nullptr : refuse(env, reason);
}

// openBackend(connectTimeoutMs, responseTimeoutMs, idleTimeoutMs, connections, queue, pipelining):
// backend
napi_value open_backend(napi_env env, napi_callback_info info) {
  UpstreamArguments<6> arguments(env, info);
  std::uint64_t numbers[6]{};
  if (arguments.given < 6 || !read_numbers(env, arguments.values, kNumberMax, numbers) ||
      numbers[3] == 0 || numbers[5] == 0) {
    return refuse(env, "openBackend(…six numbers)");
  }
  if (!arguments.state->is_open()) return refuse(env, "there is no client");
  BackendOptions options;
  options.connect_timeout_ms = narrow(numbers[0]);
  options.response_timeout_ms = narrow(numbers[1]);
  options.idle_timeout_ms = narrow(numbers[2]);
  options.connections = narrow(numbers[3]);
  options.queue = narrow(numbers[4]);
  options.pipelining = narrow(numbers[5]);
  const std::int32_t backend = arguments.state->client().open_backend(options);
  arguments.state->backend_opened(backend);
  return integer(env, backend);
}

template <typename Number>
bool read_decimal(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && stopped == end;
}

// `id ip port`; points into `line`.
bool read_address(std::string_view line, Address& out) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  out.ip = line.substr(first + 1, last - first - 1);
  return read_decimal(line.substr(0, first), out.id) &&
         read_decimal(line.substr(last + 1), out.port);
}

// setAddresses(backend, text): one line `id ip port` for each, with LF between them
napi_value set_addresses(napi_env env, napi_callback_info info) {
  UpstreamArguments<2> arguments(env, info);
  std::int32_t backend = 0;
  std::string text;
  if (!arguments.state->read_backend(arguments.values[0], backend)) return nullptr;
  if (!read_text(env, arguments.values[1], text)) return refuse(env, "addresses are text");
  std::vector<Address> addresses;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() == rest.size() ? line.size() : line.size() + 1);
    if (!read_address(line, addresses.emplace_back())) {
      return refuse(env, "an address is `id ip port`");
    }
  }
  if (!arguments.state->client().set_addresses(backend, addresses)) {
    return refuse(env, "an address is none");
  }
  return nullptr;
}

// failWaiting(backend, text)
napi_value fail_waiting(napi_env env, napi_callback_info info) {
  UpstreamArguments<2> arguments(env, info);
  std::int32_t backend = 0;
  std::string text;
  if (!arguments.state->read_backend(arguments.values[0], backend)) return nullptr;
  if (!read_text(env, arguments.values[1], text)) return refuse(env, "a reason is text");
  arguments.state->client().fail_waiting(backend, text);
  return nullptr;
}

// closeBackend(backend)
napi_value close_backend(napi_env env, napi_callback_info info) {
  UpstreamArguments<1> arguments(env, info);
  std::int32_t backend = 0;
  if (!arguments.state->read_backend(arguments.values[0], backend)) return nullptr;
  if (arguments.state->is_closing(backend)) return refuse(env, "the backend is closing");
  arguments.state->backend_closing(backend);
  arguments.state->client().close_backend(backend);
  return nullptr;
}

// send(backend, method, target, lines, flags, bodyLength): the call's number, and kBodyWanted; -1
// where the request can't be sent. Hot: one crossing, no allocation here nor, the result being a
// small integer, there.
napi_value send(napi_env env, napi_callback_info info) {
  UpstreamArguments<6> arguments(env, info);
  UpstreamOwner& state = *arguments.state;
  std::int32_t backend = 0;
  std::uint32_t flags = 0;
  Request request;
  if (!state.read_backend(arguments.values[0], backend)) return nullptr;
  const HeadText text =
      state.text.read(env, arguments.values[1], arguments.values[2], arguments.values[3]);
  if (text == HeadText::kNoText ||
      napi_get_value_uint32(env, arguments.values[4], &flags) != napi_ok ||
      napi_get_value_int64(env, arguments.values[5], &request.body_length) != napi_ok ||
      request.body_length < -1) {
    return refuse(env, "send(backend, method, target, lines, flags, bodyLength)");
  }
  if (text == HeadText::kUnsendable) return integer(env, -1);
  if (request.body_length == 0 && (flags & kSaysEmpty) != 0) {
    state.text.append("content-length: 0\r\n");
  }
  request.head = state.text.head();
  request.head_method = (flags & kHeadMethod) != 0;
  request.idempotent = (flags & kIdempotent) != 0;
  bool body_wanted = false;
  const std::int32_t call = state.client().send(backend, request, body_wanted);
  state.call_began(call);
  return integer(env, body_wanted ? call | kBodyWanted : call);
}

bool read_bytes(napi_env env, napi_value value, std::span<const char>& out) {
  bool is_typed = false;
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  if (napi_is_typedarray(env, value, &is_typed) != napi_ok || !is_typed ||
      napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint8_array) {
    return false;
  }
  out = {static_cast<const char*>(data), length};
  return true;
}

// write(call, Uint8Array): false to wait for kDrained, or because the call takes no more
napi_value write(napi_env env, napi_callback_info info) {
  UpstreamArguments<2> arguments(env, info);
  UpstreamOwner& state = *arguments.state;
  std::int32_t call = 0;
  std::span<const char> bytes;
  if (!state.read_call(arguments.values[0], call)) return nullptr;
  if (!read_bytes(env, arguments.values[1], bytes)) return refuse(env, "write(call, Uint8Array)");
  return boolean(env, state.is_call_open(call) && state.client().write(call, bytes));
}

// finish(call), pause(call), resume(call)
template <void (Client::*member)(std::int32_t)>
napi_value forward(napi_env env, napi_callback_info info) {
  UpstreamArguments<1> arguments(env, info);
  UpstreamOwner& state = *arguments.state;
  std::int32_t call = 0;
  if (!state.read_call(arguments.values[0], call)) return nullptr;
  if (state.is_call_open(call)) (state.client().*member)(call);
  return nullptr;
}

// abort(call)
napi_value abort_call(napi_env env, napi_callback_info info) {
  UpstreamArguments<1> arguments(env, info);
  UpstreamOwner& state = *arguments.state;
  std::int32_t call = 0;
  if (!state.read_call(arguments.values[0], call)) return nullptr;
  if (!state.is_call_open(call)) return nullptr;
  state.client().abort(call);
  state.call_aborted(call);
  return nullptr;
}

// bodyBytes(backend), pressed(backend), occupancy(backend)
template <auto member>
napi_value ask(napi_env env, napi_callback_info info) {
  UpstreamArguments<1> arguments(env, info);
  UpstreamOwner& state = *arguments.state;
  std::int32_t backend = 0;
  if (!state.read_backend(arguments.values[0], backend)) return nullptr;
  return number(env, static_cast<double>((state.client().*member)(backend)));
}

// openConnections(), for tests
napi_value open_connections(napi_env env, napi_callback_info info) {
  UpstreamArguments<0> arguments(env, info);
  if (!arguments.state->is_open()) return number(env, 0);
  return number(env, static_cast<double>(arguments.state->client().open_connections()));
}

constexpr Function kFunctions[] = {
    {"createClient", create_client},
    {"openBackend", open_backend},
    {"setAddresses", set_addresses},
    {"failWaiting", fail_waiting},
    {"closeBackend", close_backend},
    {"send", send},
    {"write", write},
    {"finish", forward<&Client::finish>},
    {"pause", forward<&Client::pause>},
    {"resume", forward<&Client::resume>},
    {"abort", abort_call},
    {"bodyBytes", ask<&Client::body_bytes>},
    {"pressed", ask<&Client::pressed>},
    {"occupancy", ask<&Client::occupancy>},
    {"openConnections", open_connections},
};

}  // namespace

bool export_upstream(napi_env env, napi_value exports) {
  auto* const state = new (std::nothrow) UpstreamOwner(env);
  if (state == nullptr) {
    refuse(env, "no memory");
    return false;
  }
  const auto close = [](napi_async_cleanup_hook_handle hook, void* data) {
    auto* const closing = static_cast<UpstreamOwner*>(data);
    closing->close(hook);
    delete closing;
  };
  if (napi_add_async_cleanup_hook(env, close, state, nullptr) != napi_ok) {
    delete state;
    refuse(env, "no cleanup hook");
    return false;
  }
  return export_functions(env, exports, kFunctions, state);
}

}  // namespace weir::binding
