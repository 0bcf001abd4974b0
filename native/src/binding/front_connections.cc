// The connections of clients as the front has them (front/front.h). Called by src/http/front/. An
// environment has at most one front, for all of its listeners.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"
#include "boot_clock.h"
#include "front/front.h"
#include "front/request_text.h"
#include "request/socket_state.h"

namespace weir::binding {

namespace {

using front::BodyKind;
using front::Connection;
using front::TextKind;

// Numbers of the last request, in memory that JS reads.
enum Number : std::size_t {
  kKind,
  kHandle,
  kSlot,
  kFlags,
  kMethod,
  kLines,
  kForwarded,
  kHostAt,
  kHostBytes,
  kTargetBytes,
  kQueryAt,
  kBodyLength,
  // of its connection, if it is fresh
  kAddressBytes,
  kPort,
  kOpenedMs,
  kNumbers,
};

enum Flag : unsigned {
  // the first of its connection
  kFresh = 1,
  kExpectsContinue = 2,
  kHttp10 = 4,
  // a PROXY protocol header named address and port
  kProxied = 8,
  // the connection ends with its answer
  kLast = 16,
};

constexpr std::size_t kAddressBytesMax = 16;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// The number of a method that JS has a constant for; 0 for others.
std::uint32_t method_number(std::string_view method) {
  switch (method.size()) {
    case 3:
      return method == "GET" ? 1 : method == "PUT" ? 2 : 0;
    case 4:
      return method == "POST" ? 3 : method == "HEAD" ? 4 : 0;
    default:
      return 0;
  }
}

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
         library.find("us_poll_change", api.poll_change);
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
  // openFront(file, turns: Uint8Array, numbers: Float64Array, address: Uint8Array): false if this
  // library has no way to it
  bool open(const Arguments& arguments) {
    if (front_ != nullptr) refuse(arguments.env(), "there is a front");
    const std::string file = arguments.text(0);
    const auto turns = arguments.bytes(1);
    const Napi::Value numbers = arguments[2];
    if (!numbers.IsTypedArray() ||
        numbers.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array ||
        numbers.As<Napi::TypedArray>().ElementLength() < kNumbers) {
      arguments.refuse(2, "is no Float64Array of enough numbers");
    }
    const auto address = arguments.bytes<kAddressBytesMax>(3);
    front::ConnectionApi api;
    if (!find_api(file, api)) return false;
    turns_kept_ = Napi::Persistent(arguments[1].As<Napi::Object>());
    numbers_kept_ = Napi::Persistent(numbers.As<Napi::Object>());
    address_kept_ = Napi::Persistent(arguments[3].As<Napi::Object>());
    numbers_ = numbers.As<Napi::Float64Array>().Data();
    address_ = address.data();
    api_ = api;
    front_ = std::make_unique<front::Front>(api, turns);
    return true;
  }

  // hookFront(token, tls, bounds): false if the library's handlers can't be learnt
  bool hook(const Arguments& arguments) {
    void* const socket = listening_socket(arguments[0]);
    const bool tls = arguments.boolean(1);
    const front::FrontBounds bounds = read_bounds(arguments, 2);
    return socket != nullptr && the_front(arguments.env()).hook(socket, tls, bounds);
  }

  // takeRequest(): the text of the request whose handler runs (front/request_text.h); writes
  // numbers and, if it is the first of its connection, the address. Hot. Plain Node-API, as admit
  // in counters.cc.
  static napi_value take(napi_env env, napi_callback_info info) {
    void* data = nullptr;
    napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
    return static_cast<FrontConnections*>(data)->take(env);
  }

  // answeredRequest(handle, last): whether runFront is to be called
  bool answered(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const bool last = arguments.boolean(1);
    return connection != nullptr && front_->answered(*connection, last);
  }

  // runFront()
  void run(const Arguments& arguments) { the_front(arguments.env()).run(); }

  // tickFront()
  void tick(const Arguments& arguments) { the_front(arguments.env()).tick(); }

  // pauseClient(handle, paused)
  void pause(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const bool paused = arguments.boolean(1);
    if (connection != nullptr) front_->pause(*connection, paused);
  }

  // keepPaused(handle): as `pauseClient` and the front had it before a write that was not taken
  void keep_paused(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    if (connection != nullptr) front_->look_at_reading(*connection);
  }

  // writeContinue(handle)
  void write_continue(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    if (connection != nullptr) front_->write_whole(*connection, kContinue);
  }

  // writeClient(handle, bytes): how many of them the socket took
  std::int32_t write(const Arguments& arguments) {
    Connection* const connection = find(arguments);
    const auto bytes = arguments.bytes(1);
    if (connection == nullptr || bytes.size() > INT32_MAX) return 0;
    return front_->write(*connection, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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

  // frontCounts()
  Napi::Value counts(const Arguments& arguments) {
    const front::FrontCounts& counts = the_front(arguments.env()).counts();
    Napi::Object result = Napi::Object::New(arguments.env());
    result.Set("silent", static_cast<double>(counts.silent));
    result.Set("unread", static_cast<double>(counts.unread));
    return result;
  }

  // beginningClients()
  double beginning(const Arguments& arguments) {
    return static_cast<double>(the_front(arguments.env()).beginning());
  }

 private:
  front::Front& the_front(Napi::Env env) {
    if (front_ == nullptr) refuse(env, "there is no front");
    return *front_;
  }

  Connection* find(const Arguments& arguments) {
    return the_front(arguments.env()).find(arguments.number(0));
  }

  // @returns -1 once the connection is closed
  int descriptor_of(const Arguments& arguments) {
    const Connection* const connection = find(arguments);
    if (connection == nullptr) return -1;
    // Of the layer below TLS; above it this is something else.
    void* const handle = api_.native_handle(0, connection->socket);
    return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  }

  napi_value take(napi_env env) {
    Connection* const connection = front_ == nullptr ? nullptr : front_->current();
    if (connection == nullptr) return nullptr;
    unsigned flags = 0;
    if (connection->refused) {
      front::write_refusal(connection->refusal, text_);
    } else {
      flags = note_request(*connection);
    }
    if (connection->fresh) flags |= kFresh | note_connection(*connection);
    if (connection->last) flags |= kLast;
    set(kKind, static_cast<unsigned>(text_.kind));
    numbers_[kHandle] = static_cast<double>(connection->handle);
    set(kSlot, connection->slot);
    set(kFlags, flags);
    napi_value result = nullptr;
    napi_create_string_latin1(env, text_.text.data(), text_.text.size(), &result);
    return result;
  }

  unsigned note_request(const Connection& connection) {
    const front::RequestReader& reader = connection.reader;
    front::write_request(reader, text_);
    set(kMethod, method_number(reader.method()));
    set(kLines, text_.lines);
    set(kForwarded, text_.forwarded);
    set(kHostAt, text_.host_at);
    set(kHostBytes, text_.host_bytes);
    set(kTargetBytes, text_.target_bytes);
    set(kQueryAt, text_.query_at);
    const bool is_chunked = reader.body() == BodyKind::chunked;
    numbers_[kBodyLength] = is_chunked ? -1 : static_cast<double>(reader.body_bytes());
    return (reader.expects_continue() ? kExpectsContinue : 0U) |
           (reader.minor_version() == 0 ? kHttp10 : 0U);
  }

  unsigned note_connection(Connection& connection) {
    connection.fresh = false;
    set(kAddressBytes, connection.address_bytes);
    set(kPort, connection.port);
    numbers_[kOpenedMs] = connection.opened_ms;
    std::memcpy(address_, connection.address.data(), connection.address.size());
    return connection.proxied ? kProxied : 0U;
  }

  void set(Number number, std::size_t value) { numbers_[number] = static_cast<double>(value); }

  front::ConnectionApi api_;
  std::unique_ptr<front::Front> front_;
  front::RequestText text_;
  // memory that JS reads
  double* numbers_ = nullptr;
  std::uint8_t* address_ = nullptr;
  Napi::ObjectReference turns_kept_;
  Napi::ObjectReference numbers_kept_;
  Napi::ObjectReference address_kept_;
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
  set_number(layout, "pending", front::kPending);
  set_number(layout, "badBody", front::kBadBody);
  return layout;
}

}  // namespace

void export_front_connections(Napi::Env env, Napi::Object exports) {
  using Own = FrontConnections;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::open>("openFront")
      .add<&Own::hook>("hookFront")
      .add_plain("takeRequest", Own::take)
      .add<&Own::answered>("answeredRequest")
      .add<&Own::run>("runFront")
      .add<&Own::tick>("tickFront")
      .add<&Own::pause>("pauseClient")
      .add<&Own::keep_paused>("keepPaused")
      .add<&Own::write_continue>("writeContinue")
      .add<&Own::write>("writeClient")
      .add<&Own::port>("portOfClient")
      .add<&Own::bound_reads>("boundReads")
      .add<&Own::look_at<&request::acknowledged_bytes>>("acknowledgedBytes")
      .add<&Own::look_at<&request::bytes_before_end>>("bytesBeforeEnd")
      .add<&Own::counts>("frontCounts")
      .add<&Own::beginning>("beginningClients");
  exports.Set("frontLayout", layout_of(env));
}

}  // namespace weir::binding
