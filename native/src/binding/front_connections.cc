// The connections of clients as the front has them (front/front.h). Called by src/http/front.ts and
// src/http/front-connection.ts.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "binding/front_answers.h"
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

bool find_api(const std::string& file, front::ConnectionApi& api) {
  const ServerLibrary library(file);
  front::SocketApi& sockets = api.sockets;
  api.now_ms = boot_clock_ms;
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
         library.find("us_poll_change", api.poll_change) &&
         library.find("us_socket_context_find_server_name_userdata", api.name_data) &&
         library.find("us_socket_server_name_userdata", api.chosen_name_data);
}

front::FrontBounds read_bounds(const Arguments& arguments, std::size_t at) {
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
  explicit FrontConnections(Napi::Env env) : owner_(env) {}

  FrontOwner& owner() { return owner_; }

  // openFront(file, shared, heard): false if this library has no way to it
  bool open(const Arguments& arguments) {
    const std::string file = arguments.text(0);
    if (!find_api(file, api_)) return false;
    owner_.open(api_, arguments[1], arguments[2]);
    return true;
  }

  // hookFront(token, tls, bounds, names): the listener's number; -1 if the library's handlers can't
  // be learnt
  std::int32_t hook(const Arguments& arguments) {
    void* const socket = listening_socket(arguments[0]);
    const bool tls = arguments.boolean(1);
    const front::FrontBounds bounds = read_bounds(arguments, 2);
    if (!arguments[3].IsArray()) arguments.refuse(3, "is no array");
    const auto array = arguments[3].As<Napi::Array>();
    std::vector<std::string> names;
    for (std::uint32_t each = 0; each < array.Length(); ++each) {
      const Napi::Value name = array[each];
      if (!name.IsString()) arguments.refuse(3, "holds what is no string");
      names.push_back(name.As<Napi::String>());
    }
    return socket == nullptr ? -1 : owner_.front().hook(socket, tls, bounds, names);
  }

  // answeredRequest(handle, last): whether runFront is to be called
  bool answered(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const bool last = arguments.boolean(1);
    return connection != nullptr && owner_.front().answered(*connection, last);
  }

  // runFront()
  void run(const Arguments& arguments) { owner_.front().run(); }

  // tickFront()
  void tick(const Arguments& arguments) { owner_.front().tick(); }

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

  // portOfClient(handle)
  std::int32_t port(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    if (connection == nullptr) return 0;
    if (connection->proxied) return connection->port;
    const int port = api_.remote_port(connection->listener->ssl, connection->socket);
    return port > 0 && port <= UINT16_MAX ? port : 0;
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

  // bytesOfClient(handle, out): bytes that came, or went, since it opened, within TLS
  double bytes(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    const bool out = arguments.boolean(1);
    if (connection == nullptr) return 0;
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
  set_number(layout, "name", kName);
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
  set_number(layout, "pending", front::kPending);
  set_number(layout, "badBody", front::kBadBody);
  set_number(layout, "unframed", front::kUnframed);
  return layout;
}

}  // namespace

void export_front_connections(Napi::Env env, Napi::Object exports) {
  using Own = FrontConnections;
  Own& connections = keep(env, std::make_unique<Own>(env));
  Functions<Own>(exports, connections)
      .add<&Own::open>("openFront")
      .add<&Own::hook>("hookFront")
      .add<&Own::answered>("answeredRequest")
      .add<&Own::run>("runFront")
      .add<&Own::tick>("tickFront")
      .add<&Own::pause>("pauseClient")
      .add<&Own::close>("closeClient")
      .add<&Own::port>("portOfClient")
      .add<&Own::bytes>("bytesOfClient")
      .add<&Own::bound_reads>("boundReads")
      .add<&Own::look_at<&request::acknowledged_bytes>>("acknowledgedBytes")
      .add<&Own::look_at<&request::bytes_before_end>>("bytesBeforeEnd")
      .add<&Own::counts>("frontCounts");
  add_front_answers(exports, connections.owner());
  exports.Set("frontLayout", layout_of(env));
}

}  // namespace weir::binding
