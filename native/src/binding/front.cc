// Listeners whose connections begin with a PROXY protocol frame (front/proxy_listener.h). Called by
// src/edge/request/proxy-frames.ts alone.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"
#include "front/proxy_listener.h"
#include "front/socket_api.h"

namespace weir::binding {

namespace {

// The memory of a peer that JS reads: an address, then the port in network order.
constexpr std::size_t kPortAt = 16;
constexpr std::size_t kPeerBytes = 18;

bool find_api(const std::string& file, front::SocketApi& api) {
  const ServerLibrary library(file);
  return library.find("us_socket_context", api.context) &&
         library.find("us_socket_context_on_open", api.on_open) &&
         library.find("us_socket_context_on_data", api.on_data) &&
         library.find("us_socket_context_on_close", api.on_close) &&
         library.find("us_socket_close", api.close);
}

class FrontFunctions {
 public:
  // hookProxyFrames(file, token, peer): the listener's number, or -1 if this library has no way to
  // it
  std::int32_t hook(const Arguments& arguments) {
    const std::string file = arguments.text(0);
    peer_ = arguments.bytes<kPeerBytes>(2).data();
    peer_kept_ = Napi::Persistent(arguments[2].As<Napi::Object>());
    front::SocketApi api;
    void* const socket = listening_socket(arguments[1]);
    if (socket == nullptr || !find_api(file, api)) return -1;
    return listeners_.hook(api, socket);
  }

  // proxiedPeer(): bytes of the address that was written to `peer`; 0: the peer itself; -1: nothing
  // is being read. Hot.
  std::int32_t proxied_peer(const Arguments&) {
    const front::ProxiedPeer* const peer = front::ProxyListener::current();
    if (peer == nullptr || peer_ == nullptr) return -1;
    std::memcpy(peer_, peer->address.data(), peer->address.size());
    peer_[kPortAt] = static_cast<std::uint8_t>(peer->port >> 8);
    peer_[kPortAt + 1] = static_cast<std::uint8_t>(peer->port);
    return peer->address_bytes;
  }

  // refusedFrames(listener): how many connections were closed because of their frame
  double refused(const Arguments& arguments) {
    return static_cast<double>(listener_of(arguments).refused());
  }

  // lastRefusal(listener): address and reason, empty if there was none; ASCII
  std::string last_refusal(const Arguments& arguments) {
    return listener_of(arguments).last_refusal();
  }

 private:
  const front::ProxyListener& listener_of(const Arguments& arguments) {
    return listeners_.at(arguments.index(0, listeners_.size()));
  }

  front::ProxyListeners listeners_;
  // memory that JS reads
  std::uint8_t* peer_ = nullptr;
  Napi::ObjectReference peer_kept_;
};

}  // namespace

void export_front(Napi::Env env, Napi::Object exports) {
  using Own = FrontFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::hook>("hookProxyFrames")
      .add<&Own::proxied_peer>("proxiedPeer")
      .add<&Own::refused>("refusedFrames")
      .add<&Own::last_refusal>("lastRefusal");
  Napi::Object layout = Napi::Object::New(env);
  layout.Set("portAt", static_cast<double>(kPortAt));
  layout.Set("bytes", static_cast<double>(kPeerBytes));
  exports.Set("proxiedPeerLayout", layout);
}

}  // namespace weir::binding
