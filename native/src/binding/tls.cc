// The session ticket keys of the server library's TLS listeners (tls/ticket_keys.h). Called by
// src/edge/tickets/ alone.
//
// The way to a listener's SSL_CTX goes through the library's public C API (server_library.h).
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "binding/exports.h"
#include "binding/server_library.h"
#include "binding/values.h"
#include "tls/readable_memory.h"
#include "tls/ticket_keys.h"

namespace weir::binding {

namespace {

// of libusockets.h; the first argument is 1 for TLS
using SocketContext = void* (*)(int ssl, void* socket);
using NativeHandle = void* (*)(int ssl, void* socket_context);

struct TicketState {
  tls::ReadableMemory memory;
  std::vector<tls::TicketContext> contexts;
};

void* context_of(napi_env env, const std::string& file, napi_value token) {
  const ServerLibrary library(file);
  SocketContext socket_context = nullptr;
  NativeHandle native_handle = nullptr;
  if (!library.find("us_socket_context", socket_context) ||
      !library.find("us_socket_context_get_native_handle", native_handle)) {
    return nullptr;
  }
  void* const socket = listening_socket(env, token);
  return socket == nullptr ? nullptr : native_handle(1, socket_context(1, socket));
}

// openTicketContext(file: string, token): a number, or -1 if this library has no way to it
napi_value open_ticket_context(napi_env env, napi_callback_info info) {
  Arguments<2, TicketState> arguments(env, info);
  std::string file;
  if (arguments.given < 2 || !read_text(env, arguments.values[0], file)) {
    return refuse(env, "openTicketContext(file, token)");
  }
  void* const context = context_of(env, file, arguments.values[1]);
  if (context == nullptr) return integer(env, -1);
  arguments.state->contexts.emplace_back(context);
  return integer(env, static_cast<std::int32_t>(arguments.state->contexts.size()) - 1);
}

// findTicketKey(context, from: word, name: Uint8Array of 16, copy: Uint8Array of 56): a word, or -1
napi_value find_ticket_key(napi_env env, napi_callback_info info) {
  Arguments<4, TicketState> arguments(env, info);
  TicketState& state = *arguments.state;
  std::uint32_t index = 0;
  std::uint32_t from = 0;
  std::uint8_t* name = nullptr;
  std::uint8_t* copy = nullptr;
  if (arguments.given < 4 || !read_index(env, arguments.values[0], state.contexts.size(), index) ||
      !read_index(env, arguments.values[1], tls::kContextWords + 1, from) ||
      !read_bytes(env, arguments.values[2], tls::kNameBytes, name) ||
      !read_bytes(env, arguments.values[3], tls::kKeyBytes, copy)) {
    return refuse(env, "findTicketKey(context, from, name, copy)");
  }
  const auto word = state.contexts[index].find(
      state.memory, from, tls::KeyName(name, tls::kNameBytes), tls::Key(copy, tls::kKeyBytes));
  return integer(env, word.has_value() ? static_cast<std::int32_t>(*word) : -1);
}

// writeTicketKey(context, word, key: Uint8Array of 56): false where no key was found or taken
napi_value write_ticket_key(napi_env env, napi_callback_info info) {
  Arguments<3, TicketState> arguments(env, info);
  TicketState& state = *arguments.state;
  std::uint32_t index = 0;
  std::uint32_t word = 0;
  std::uint8_t* key = nullptr;
  if (arguments.given < 3 || !read_index(env, arguments.values[0], state.contexts.size(), index) ||
      !read_index(env, arguments.values[1], tls::kContextWords, word) ||
      !read_bytes(env, arguments.values[2], tls::kKeyBytes, key)) {
    return refuse(env, "writeTicketKey(context, word, key)");
  }
  return boolean(env, state.contexts[index].write(word, tls::ConstKey(key, tls::kKeyBytes)));
}

// takeTicketKey(context, from, word): false, and nothing was done, if there is none or no room
napi_value take_ticket_key(napi_env env, napi_callback_info info) {
  Arguments<3, TicketState> arguments(env, info);
  TicketState& state = *arguments.state;
  std::uint32_t index = 0;
  std::uint32_t from = 0;
  std::uint32_t word = 0;
  if (arguments.given < 3 || !read_index(env, arguments.values[0], state.contexts.size(), index) ||
      !read_index(env, arguments.values[1], state.contexts.size(), from) || index == from ||
      !read_index(env, arguments.values[2], tls::kContextWords, word)) {
    return refuse(env, "takeTicketKey(context, from, word)");
  }
  return boolean(env, state.contexts[index].take(state.contexts[from], word, state.memory));
}

}  // namespace

bool export_tls(napi_env env, napi_value exports) {
  auto* const state = new (std::nothrow) TicketState();
  if (state == nullptr) return false;
  napi_add_env_cleanup_hook(
      env, [](void* data) { delete static_cast<TicketState*>(data); }, state);
  constexpr std::array<Function, 4> functions = {{{"openTicketContext", open_ticket_context},
                                                  {"findTicketKey", find_ticket_key},
                                                  {"writeTicketKey", write_ticket_key},
                                                  {"takeTicketKey", take_ticket_key}}};
  return export_functions(env, exports, functions, state);
}

}  // namespace weir::binding
