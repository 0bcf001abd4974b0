// Listeners whose connections begin with a PROXY protocol frame (front/proxy_listener.h). Called by
// src/edge/request/proxy-frames.ts alone.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "binding/exports.h"
#include "binding/server_library.h"
#include "binding/values.h"
#include "front/proxy_listener.h"
#include "front/socket_api.h"

namespace weir::binding {

namespace {

// An address, then the port in network order.
constexpr std::size_t kPortAt = 16;
constexpr std::size_t kPeerBytes = 18;

struct FrontState {
  front::ProxyListeners listeners;
  // memory that JS reads
  std::uint8_t* peer = nullptr;
  napi_ref peer_ref = nullptr;
};

bool read_peer(napi_env env, napi_value value, FrontState& state) {
  std::uint8_t* peer = nullptr;
  if (!read_bytes(env, value, kPeerBytes, peer)) return false;
  if (state.peer_ref != nullptr) napi_delete_reference(env, state.peer_ref);
  napi_create_reference(env, value, 1, &state.peer_ref);
  state.peer = peer;
  return true;
}

bool find_api(const std::string& file, front::SocketApi& api) {
  const ServerLibrary library(file);
  return library.find("us_socket_context", api.context) &&
         library.find("us_socket_context_on_open", api.on_open) &&
         library.find("us_socket_context_on_data", api.on_data) &&
         library.find("us_socket_context_on_close", api.on_close) &&
         library.find("us_socket_close", api.close);
}

// hookProxyFrames(file: string, token, peer: Uint8Array of 18): the listener's number, or -1 if
// this library has no way to it
napi_value hook_proxy_frames(napi_env env, napi_callback_info info) {
  Arguments<3, FrontState> arguments(env, info);
  FrontState& state = *arguments.state;
  std::string file;
  if (arguments.given < 3 || !read_text(env, arguments.values[0], file) ||
      !read_peer(env, arguments.values[2], state)) {
    return refuse(env, "hookProxyFrames(file, token, peer)");
  }
  front::SocketApi api;
  void* const socket = listening_socket(env, arguments.values[1]);
  if (socket == nullptr || !find_api(file, api)) return integer(env, -1);
  return integer(env, state.listeners.hook(api, socket));
}

// proxiedPeer(): bytes of the address that was written to `peer`; 0: the peer itself; -1: nothing
// is being read. Hot.
napi_value proxied_peer(napi_env env, napi_callback_info info) {
  Arguments<0, FrontState> arguments(env, info);
  std::uint8_t* const out = arguments.state->peer;
  const front::ProxiedPeer* const peer = front::ProxyListener::current();
  if (peer == nullptr || out == nullptr) return integer(env, -1);
  std::memcpy(out, peer->address.data(), peer->address.size());
  out[kPortAt] = static_cast<std::uint8_t>(peer->port >> 8);
  out[kPortAt + 1] = static_cast<std::uint8_t>(peer->port);
  return integer(env, peer->address_bytes);
}

// The listener that the one argument of a call is the number of; nullptr if it is none.
const front::ProxyListener* listener_of(napi_env env, const Arguments<1, FrontState>& arguments) {
  front::ProxyListeners& listeners = arguments.state->listeners;
  std::uint32_t index = 0;
  if (arguments.given < 1 || !read_index(env, arguments.values[0], listeners.size(), index)) {
    return nullptr;
  }
  return &listeners.at(index);
}

// refusedFrames(listener): how many connections were closed because of their frame
napi_value refused_frames(napi_env env, napi_callback_info info) {
  const front::ProxyListener* const listener = listener_of(env, {env, info});
  if (listener == nullptr) return refuse(env, "refusedFrames(listener)");
  return number(env, static_cast<double>(listener->refused()));
}

// lastRefusal(listener): address and reason, empty if there was none
napi_value last_refusal(napi_env env, napi_callback_info info) {
  const front::ProxyListener* const listener = listener_of(env, {env, info});
  if (listener == nullptr) return refuse(env, "lastRefusal(listener)");
  const std::string& text = listener->last_refusal();
  napi_value result = nullptr;
  napi_create_string_latin1(env, text.data(), text.size(), &result);
  return result;
}

}  // namespace

bool export_front(napi_env env, napi_value exports) {
  auto* const state = new (std::nothrow) FrontState();
  if (state == nullptr) return false;
  napi_add_env_cleanup_hook(
      env, [](void* data) { delete static_cast<FrontState*>(data); }, state);
  constexpr std::array<Function, 4> functions = {{{"hookProxyFrames", hook_proxy_frames},
                                                  {"proxiedPeer", proxied_peer},
                                                  {"refusedFrames", refused_frames},
                                                  {"lastRefusal", last_refusal}}};
  return export_functions(env, exports, functions, state);
}

}  // namespace weir::binding
