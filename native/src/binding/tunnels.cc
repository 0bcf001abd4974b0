// Tunnels as functions of numbers (tunnel/tunnels.h). Called by src/http/tunnels.ts. An environment
// has at most one front, and all tunnels are between that and its upstream client, or JS.
//
// What comes for a tunnel that is over is ignored. JS forgets a tunnel's number when it hears of
// its end, and a number isn't used again before the next tick.
#include "tunnel/tunnels.h"

#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <span>
#include <string>

#include "binding/front_owner.h"
#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/upstream_owner.h"
#include "boot_clock.h"
#include "front/answer_text.h"

namespace weir::binding {

namespace {

using front::Connection;
using tunnel::Ending;
using tunnel::Port;
using tunnel::Tunnel;
using tunnel::Tunnels;

// The number of a call that was answered with 101 is its number, and above that its serial number.
constexpr std::uint64_t kSerialOne = std::uint64_t{1} << 31;

std::string latin1_text(napi_env env, napi_value value) {
  std::size_t size = 0;
  if (napi_get_value_string_latin1(env, value, nullptr, 0, &size) != napi_ok) {
    refuse(env, "what is sent is no text");
  }
  // One is for the NUL that Node-API adds.
  std::string text(size + 1, '\0');
  napi_get_value_string_latin1(env, value, text.data(), text.size(), &size);
  text.resize(size);
  return text;
}

class TunnelFunctions final : public tunnel::Owner {
 public:
  TunnelFunctions(Napi::Env env, FrontOwner& front, UpstreamOwner& upstream)
      : env_(env), front_(front), upstream_(upstream) {}

  // openTunnels(bounds, heard): once, when the front is open
  void begin(const Arguments& arguments) {
    const Options options(arguments.env(), arguments[0], "bounds");
    if (tunnels_ != nullptr) refuse(env_, "tunnels are open");
    if (!arguments[1].IsObject()) arguments.refuse(1, "is no object");
    const auto heard = arguments[1].As<Napi::Object>();
    on_ended_ = function_of(heard, "ended");
    on_received_ = function_of(heard, "received");
    on_client_ended_ = function_of(heard, "clientEnded");
    on_room_ = function_of(heard, "room");
    context_ = std::make_unique<Napi::AsyncContext>(env_, "weir:tunnel");
    const tunnel::TunnelBounds bounds{.client_bytes = options.number32("clientBytes", 1),
                                      .backend_bytes = options.number32("backendBytes", 1),
                                      .linger_ms = options.number32("lingerMs", 1)};
    tunnels_ = std::make_unique<Tunnels>(bounds, front_.front(), *this, boot_clock_ms);
  }

  // openTunnel(connection, head, idleMs, isWebSocket, call): the tunnel; -1, and nothing is done,
  // if client or backend has gone
  std::int32_t open(const Arguments& arguments) {
    Connection* const client = find_client(arguments);
    const std::string head = latin1_text(env_, arguments[1]);
    const tunnel::TunnelOptions options = read_options(arguments);
    const auto [call, serial] = upgraded_at(arguments, 4);
    if (client == nullptr || !is_upgraded(call, serial)) return -1;
    upstream::Upgraded backend = upstream_.client().take_upgraded(call, serial);
    upstream_.call_aborted(call);
    tell(*client, head);
    return static_cast<std::int32_t>(
        tunnels_->open(*client, options, upstream_.reactor(), std::move(backend)));
  }

  // openPortTunnel(connection, head, idleMs, isWebSocket): as openTunnel
  std::int32_t open_port(const Arguments& arguments) {
    Connection* const client = find_client(arguments);
    const std::string head = latin1_text(env_, arguments[1]);
    const tunnel::TunnelOptions options = read_options(arguments);
    if (client == nullptr) return -1;
    tell(*client, head);
    return static_cast<std::int32_t>(tunnels_->open_port(*client, options));
  }

  // abortUpgraded(call)
  void abort(const Arguments& arguments) {
    const auto [call, serial] = upgraded_at(arguments, 0);
    if (!is_upgraded(call, serial)) return;
    upstream_.client().abort(call);
    upstream_.call_aborted(call);
  }

  // drainTunnel(tunnel)
  void drain(const Arguments& arguments) {
    if (Tunnel* const tunnel = find(arguments)) tunnel->drain();
  }

  // closeTunnel(tunnel)
  void close(const Arguments& arguments) {
    if (Tunnel* const tunnel = find(arguments)) tunnel->close(Ending::kError);
  }

  // bytesOfTunnel(tunnel, out): -1 once it is over
  double bytes(const Arguments& arguments) {
    const Tunnel* const tunnel = find(arguments);
    const bool out = arguments.boolean(1);
    if (tunnel == nullptr) return -1;
    return static_cast<double>(out ? tunnel->bytes_out() : tunnel->bytes_in());
  }

  // writeTunnel(tunnel, bytes): of a port's backend; false: wait for `room`
  bool write(const Arguments& arguments) {
    const std::span<const std::uint8_t> bytes = arguments.bytes(1);
    if (find_port(arguments) == nullptr) return true;
    find(arguments)->backend_sent({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const Port* const port = find_port(arguments);
    return port == nullptr || !port->paused();
  }

  // endTunnel(tunnel): a port's backend has ended its side
  void end(const Arguments& arguments) {
    if (find_port(arguments) != nullptr) find(arguments)->backend_ended();
  }

  // breakTunnel(tunnel): a port's backend has gone
  void break_off(const Arguments& arguments) {
    if (find_port(arguments) != nullptr) find(arguments)->backend_broke();
  }

  // pauseTunnel(tunnel, paused): whether a port takes what the client says
  void pause(const Arguments& arguments) {
    const bool paused = arguments.boolean(1);
    Port* const port = find_port(arguments);
    if (port == nullptr) return;
    if (paused) {
      port->fill();
    } else if (port->empty()) {
      // JS may have closed it when it heard of what had come.
      if (Tunnel* const tunnel = find(arguments)) tunnel->backend_has_room();
    }
  }

  // tickTunnels()
  void tick(const Arguments&) {
    if (tunnels_ != nullptr) tunnels_->tick();
  }

  void ended(std::uint32_t tunnel, Ending by, std::uint64_t bytes_in,
             std::uint64_t bytes_out) override {
    const Napi::HandleScope scope(env_);
    call(on_ended_,
         std::array<napi_value, 4>{to_js(env_, tunnel), to_js(env_, static_cast<std::uint32_t>(by)),
                                   to_js(env_, static_cast<double>(bytes_in)),
                                   to_js(env_, static_cast<double>(bytes_out))});
  }

  void port_received(std::uint32_t tunnel, std::string_view bytes) override {
    const Napi::HandleScope scope(env_);
    const Napi::Value copied = Napi::Buffer<char>::Copy(env_, bytes.data(), bytes.size());
    call(on_received_, std::array<napi_value, 2>{to_js(env_, tunnel), copied});
  }

  void port_client_ended(std::uint32_t tunnel) override {
    const Napi::HandleScope scope(env_);
    call(on_client_ended_, std::array<napi_value, 1>{to_js(env_, tunnel)});
  }

  void port_has_room(std::uint32_t tunnel) override {
    const Napi::HandleScope scope(env_);
    call(on_room_, std::array<napi_value, 1>{to_js(env_, tunnel)});
  }

 private:
  static Napi::FunctionReference function_of(Napi::Object heard, const char* name) {
    const Napi::Value value = heard.Get(name);
    if (!value.IsFunction()) refuse(heard.Env(), std::string(name) + " is no function");
    return Napi::Persistent(value.As<Napi::Function>());
  }

  static tunnel::TunnelOptions read_options(const Arguments& arguments) {
    return {.idle_ms = static_cast<std::uint32_t>(arguments.number(2, UINT32_MAX)),
            .is_websocket = arguments.boolean(3)};
  }

  // A call that was answered with 101, and which 101 that was.
  struct UpgradedCall {
    std::int32_t call = 0;
    std::int32_t serial = 0;
  };
  static UpgradedCall upgraded_at(const Arguments& arguments, std::size_t at) {
    const std::uint64_t number = arguments.number(at);
    return {static_cast<std::int32_t>(number & (kSerialOne - 1)),
            static_cast<std::int32_t>(number / kSerialOne)};
  }
  bool is_upgraded(std::int32_t call, std::int32_t serial) {
    return upstream_.is_open() && upstream_.client().has_call(call) &&
           upstream_.client().is_upgraded(call, serial);
  }

  // @returns nullptr for what is no number of a connection, or of one that is closed or a tunnel
  Connection* find_client(const Arguments& arguments) {
    if (tunnels_ == nullptr) refuse(env_, "tunnels are not open");
    Connection* const client = front_.find(arguments[0]);
    return client == nullptr || client->passage != nullptr ? nullptr : client;
  }

  Tunnel* find(const Arguments& arguments) {
    const auto number = static_cast<std::uint32_t>(arguments.number(0, UINT32_MAX));
    return tunnels_ == nullptr ? nullptr : tunnels_->find(number);
  }

  Port* find_port(const Arguments& arguments) {
    const auto number = static_cast<std::uint32_t>(arguments.number(0, UINT32_MAX));
    return tunnels_ == nullptr ? nullptr : tunnels_->find_port(number);
  }

  // The head is all that was answered.
  void tell(Connection& client, const std::string& head) {
    const front::Front::Gathering gathering(front_.front(), client);
    std::string& out = front_.front().gathered();
    out.append(front::kVersion).append(head);
    front::end_head(out, front::kUnframed, date_.at(std::time(nullptr)));
    front_.front().flush(client);
  }

  // As in front_owner.cc: what fails is an uncaught exception, and nobody's where the environment
  // ends.
  void call(const Napi::FunctionReference& function, std::span<const napi_value> values) {
    const napi_status status = napi_make_callback(env_, *context_, env_.Global(), function.Value(),
                                                  values.size(), values.data(), nullptr);
    if (status != napi_pending_exception) return;
    napi_value error = nullptr;
    if (napi_get_and_clear_last_exception(env_, &error) == napi_ok) {
      napi_fatal_exception(env_, error);
    }
  }

  const Napi::Env env_;
  FrontOwner& front_;
  UpstreamOwner& upstream_;
  front::DateLine date_;
  Napi::FunctionReference on_ended_;
  Napi::FunctionReference on_received_;
  Napi::FunctionReference on_client_ended_;
  Napi::FunctionReference on_room_;
  std::unique_ptr<Napi::AsyncContext> context_;
  std::unique_ptr<Tunnels> tunnels_;
};

Napi::Object endings(Napi::Env env) {
  Napi::Object ending = Napi::Object::New(env);
  const auto set = [&](const char* name, Ending by) { ending.Set(name, static_cast<double>(by)); };
  set("client", Ending::kClient);
  set("backend", Ending::kBackend);
  set("idle", Ending::kIdle);
  set("drain", Ending::kDrain);
  set("error", Ending::kError);
  return ending;
}

}  // namespace

void export_tunnels(Napi::Env env, Napi::Object exports, FrontOwner& front,
                    UpstreamOwner& upstream) {
  using Own = TunnelFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>(env, front, upstream)))
      .add<&Own::begin>("openTunnels")
      .add<&Own::open>("openTunnel")
      .add<&Own::open_port>("openPortTunnel")
      .add<&Own::abort>("abortUpgraded")
      .add<&Own::drain>("drainTunnel")
      .add<&Own::close>("closeTunnel")
      .add<&Own::bytes>("bytesOfTunnel")
      .add<&Own::write>("writeTunnel")
      .add<&Own::end>("endTunnel")
      .add<&Own::break_off>("breakTunnel")
      .add<&Own::pause>("pauseTunnel")
      .add<&Own::tick>("tickTunnels");
  exports.Set("tunnelEndings", endings(env));
  exports.Set("upgradedSerialOne", static_cast<double>(kSerialOne));
}

}  // namespace weir::binding
