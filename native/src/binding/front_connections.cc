// The connections of clients as the front has them (front/front.h). Called by src/http/front.ts and
// src/http/front-connection.ts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "binding/front_owner.h"
#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"
#include "boot_clock.h"
#include "front/answer_text.h"
#include "request/socket_state.h"

namespace weir::binding {

namespace {

using front::Connection;
using front::TextKind;

// Of networks, as JS gives them: an address and how many of its bits count.
constexpr std::size_t kNetworkBytes = kAddressBytesMax + 1;
constexpr std::uint8_t kNetworkBitsMax = 128;

bool find_api(const std::string& file, front::ConnectionApi& api) {
  const ServerLibrary library(file);
  front::SocketApi& sockets = api.sockets;
  api.now_ms = boot_clock_ms;
  // Without it clients of tunnels that half-close have gone, and everything else is as ever.
  library.find("us_socket_context_on_end", api.on_end);
  return library.find("us_socket_context", sockets.context) &&
         library.find("us_socket_context_on_open", sockets.on_open) &&
         library.find("us_socket_context_on_data", sockets.on_data) &&
         library.find("us_socket_context_on_close", sockets.on_close) &&
         library.find("us_socket_close", sockets.close) &&
         library.find("us_socket_context_on_writable", api.on_writable) &&
         library.find("us_socket_context_on_timeout", api.on_timeout) &&
         library.find("us_socket_write", api.write) &&
         library.find("us_socket_shutdown", api.shutdown) &&
         library.find("us_socket_remote_port", api.remote_port) &&
         library.find("us_socket_get_native_handle", api.native_handle) &&
         library.find("us_socket_context_loop", api.loop) &&
         library.find("us_poll_events", api.poll_events) &&
         library.find("us_poll_change", api.poll_change);
}

front::FrontBounds read_front_bounds(const Arguments& arguments, std::size_t at) {
  const Options options(arguments.env(), arguments[at], "bounds");
  return {.reader = {.head_bytes = options.number32("headBytes", 1),
                     .target_bytes = options.number32("targetBytes", 1),
                     .lines = options.number32("lines", 1)},
          .header_ms = options.number32("headerMs", 1),
          .idle_ms = options.number32("idleMs", 1),
          .linger_ms = options.number32("lingerMs", 1),
          .waiting_bytes = options.number32("waitingBytes", 1),
          .linger_bytes = options.number32("lingerBytes", 1)};
}

class FrontConnections {
 public:
  FrontConnections(Napi::Env env, Ticks& ticks) : owner_(env, ticks) {}

  FrontOwner& owner() { return owner_; }

  // openFront(file, shared, heard): false if this library has no way to it
  bool open(const Arguments& arguments) {
    const std::string file = arguments.text(0);
    if (!find_api(file, api_)) return false;
    owner_.open(api_, arguments[1], arguments[2]);
    return true;
  }

  // hookFront(token, tls, proxied, bounds): the listener's number; -1 if the library's handlers
  // can't be learnt
  std::int32_t hook(const Arguments& arguments) {
    void* const socket = listening_socket(arguments[0]);
    const bool tls = arguments.boolean(1);
    const bool proxied = arguments.boolean(2);
    const front::FrontBounds bounds = read_front_bounds(arguments, 3);
    return socket == nullptr ? -1 : owner_.front().hook(socket, tls, proxied, bounds);
  }

  // boundClients(path, bounds, networks: Uint8Array): 0, or the errno for which this process
  // counts its own connections alone
  std::int32_t bound(const Arguments& arguments) {
    const std::string path = arguments.text(0);
    const Options options(arguments.env(), arguments[1], "bounds");
    const auto networks = arguments.bytes(2);
    auto bounds = std::make_unique<front::ClientBounds>();
    bounds->total = options.number32("total");
    bounds->per_address = options.number32("perAddress");
    bounds->refusals = options.number32("refusals");
    bounds->refusal = options.text("refusal");
    for (std::size_t at = 0; at + kNetworkBytes <= networks.size(); at += kNetworkBytes) {
      front::Network network;
      std::memcpy(network.address.data(), networks.data() + at, kAddressBytesMax);
      network.bits = std::min(networks[at + kAddressBytesMax], kNetworkBitsMax);
      bounds->exempt.push_back(network);
    }
    const int error = bounds->counts.open_file(path);
    if (error != 0 && bounds->counts.open_memory() != 0) {
      refuse(arguments.env(), "no memory to count connections in");
    }
    owner_.front().bound(std::move(bounds));
    return error;
  }

  // refusedClients(listener): how many, and the last one's address
  Napi::Value refused(const Arguments& arguments) {
    const front::Refused* const refused =
        owner_.front().refused(static_cast<std::size_t>(arguments.number(0)));
    Napi::Object result = Napi::Object::New(arguments.env());
    if (refused == nullptr) return result;
    result.Set("total", static_cast<double>(refused->total));
    result.Set("address", static_cast<double>(refused->address));
    result.Set("last", Napi::Buffer<char>::Copy(arguments.env(), refused->last.data(),
                                                refused->last.size()));
    return result;
  }

  // answeredRequest(handle, last): whether runFront is to be called
  bool answered(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const bool last = arguments.boolean(1);
    return connection != nullptr && owner_.front().answered(*connection, last);
  }

  // runFront()
  void run(const Arguments&) { owner_.front().run(); }

  // tickFront()
  void tick(const Arguments&) { owner_.front().tick(); }

  // pauseClient(handle, paused)
  void pause(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const bool paused = arguments.boolean(1);
    if (connection != nullptr) owner_.front().pause(*connection, paused);
  }

  // closeClient(handle)
  void close(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    if (connection != nullptr) owner_.front().close(*connection);
  }

  // resetOnClose(handle)
  void reset_on_close(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    if (connection != nullptr) owner_.front().reset_on_close(*connection);
  }

  // portOfClient(handle)
  std::int32_t port(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    if (connection == nullptr) return 0;
    if (connection->proxied) return connection->port;
    const int port = api_.remote_port(connection->listener->ssl, connection->socket);
    return port > 0 && port <= UINT16_MAX ? port : 0;
  }

  // takeTlsClient(handle): what a client said in its ClientHello (front/tls_client.h), once
  Napi::Value take_tls_client(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const std::string text =
        connection == nullptr ? std::string() : std::exchange(connection->tls_client, {});
    napi_value result = nullptr;
    napi_create_string_latin1(arguments.env(), text.data(), text.size(), &result);
    return {arguments.env(), result};
  }

  // boundReads(handle, bytes): has the kernel keep at most so much, and as much again, of what the
  // client sends
  void bound_reads(const Arguments& arguments) {
    const auto bytes = static_cast<int>(arguments.number(1, INT32_MAX));
    request::bound_reads(descriptor_of(arguments), bytes);
  }

  // acknowledgedBytes(handle), bytesBeforeEnd(handle): socket_state.h
  template <std::int64_t (*look)(int)>
  double look_at(const Arguments& arguments) {
    const int descriptor = descriptor_of(arguments);
    return static_cast<double>(descriptor < 0 ? -1 : look(descriptor));
  }

  // bytesOfClient(handle, out): that came, or went, since it opened, within TLS; -1 once it is
  // closed
  double bytes(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    const bool out = arguments.boolean(1);
    if (connection == nullptr) return -1;
    return static_cast<double>(out ? connection->bytes_out : connection->bytes_in);
  }

  // frontCounts()
  Napi::Value counts(const Arguments& arguments) {
    const front::FrontCounts& counts = owner_.front().counts();
    Napi::Object result = Napi::Object::New(arguments.env());
    result.Set("silent", static_cast<double>(counts.silent));
    result.Set("unread", static_cast<double>(counts.unread));
    return result;
  }

  // beginningClients()
  double beginning(const Arguments&) { return static_cast<double>(owner_.front().beginning()); }

 private:
  Connection* find(const Arguments& arguments) { return owner_.front().find(arguments.number(0)); }

  // @returns -1 once the connection is closed
  int descriptor_of(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    if (connection == nullptr) return -1;
    // Of the layer below TLS; above it this is something else.
    void* const handle = api_.native_handle(0, connection->socket);
    return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  }

  front::ConnectionApi api_;
  FrontOwner owner_;
};

template <typename Value>
void set_number(Napi::Object layout, const char* name, Value value) {
  layout.Set(name, static_cast<double>(value));
}

Napi::Object layout_of(Napi::Env env) {
  Napi::Object layout = Napi::Object::New(env);
  set_number(layout, "kind", kKind);
  set_number(layout, "handle", kHandle);
  set_number(layout, "slot", kSlot);
  set_number(layout, "listener", kListener);
  set_number(layout, "flags", kFlags);
  set_number(layout, "method", kMethod);
  set_number(layout, "lines", kLines);
  set_number(layout, "forwarded", kForwarded);
  set_number(layout, "hostAt", kHostAt);
  set_number(layout, "hostBytes", kHostBytes);
  set_number(layout, "targetBytes", kTargetBytes);
  set_number(layout, "queryAt", kQueryAt);
  set_number(layout, "bodyLength", kBodyLength);
  set_number(layout, "addressBytes", kAddressBytes);
  set_number(layout, "port", kPort);
  set_number(layout, "openedMs", kOpenedMs);
  set_number(layout, "numbers", kNumbers);
  set_number(layout, "addressBytesMax", kAddressBytesMax);
  set_number(layout, "kindPlain", TextKind::kPlain);
  set_number(layout, "kindLines", TextKind::kLines);
  set_number(layout, "kindRefusal", TextKind::kRefusal);
  set_number(layout, "fresh", kFresh);
  set_number(layout, "expectsContinue", kExpectsContinue);
  set_number(layout, "http10", kHttp10);
  set_number(layout, "proxied", kProxied);
  set_number(layout, "last", kLast);
  set_number(layout, "secure", kSecure);
  set_number(layout, "pending", front::kPending);
  set_number(layout, "badBody", front::kBadBody);
  set_number(layout, "unframed", front::kUnframed);
  return layout;
}

}  // namespace

FrontOwner& export_front_connections(Napi::Env env, Napi::Object exports, Ticks& ticks) {
  using Own = FrontConnections;
  Own& connections = keep(env, std::make_unique<Own>(env, ticks));
  Functions<Own>(exports, connections)
      .add<&Own::open>("openFront")
      .add<&Own::hook>("hookFront")
      .add<&Own::bound>("boundClients")
      .add<&Own::refused>("refusedClients")
      .add<&Own::answered>("answeredRequest")
      .add<&Own::run>("runFront")
      .add<&Own::tick>("tickFront")
      .add<&Own::pause>("pauseClient")
      .add<&Own::close>("closeClient")
      .add<&Own::reset_on_close>("resetOnClose")
      .add<&Own::port>("portOfClient")
      .add<&Own::bytes>("bytesOfClient")
      .add<&Own::take_tls_client>("takeTlsClient")
      .add<&Own::bound_reads>("boundReads")
      .add<&Own::look_at<&request::acknowledged_bytes>>("acknowledgedBytes")
      .add<&Own::look_at<&request::bytes_before_end>>("bytesBeforeEnd")
      .add<&Own::counts>("frontCounts")
      .add<&Own::beginning>("beginningClients");
  exports.Set("frontLayout", layout_of(env));
  return connections.owner();
}

}  // namespace weir::binding
