// The upstream client as functions of numbers, strings and shared memory. Called by
// src/upstream/native/client.ts. An environment has at most one client.
//
// JS allocates the memory of the batches and lends it for good with createClient; each batch is one
// call of its function with the number of records. What comes for a call that is over is ignored
// here, and numbers that never were are refused, so that the client only meets its own.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/request_text.h"
#include "binding/upstream_flags.h"
#include "binding/upstream_options.h"
#include "binding/upstream_owner.h"
#include "upstream/client.h"

namespace weir::binding {

namespace {

using upstream::Client;
using upstream::Request;

class UpstreamFunctions {
 public:
  explicit UpstreamFunctions(UpstreamOwner& owner) : owner_(owner) {}

  // createClient(records, arena, onBatch, options)
  void create_client(const Arguments& arguments) {
    owner_.open(read_client_options(arguments, 3), arguments[0], arguments[1], arguments[2]);
  }

  // openBackend(options): backend
  std::int32_t open_backend(const Arguments& arguments) {
    const upstream::BackendOptions options = read_backend_options(arguments, 0);
    if (!owner_.is_open()) refuse(arguments.env(), "there is no client");
    const std::int32_t backend = owner_.client().open_backend(options);
    owner_.backend_opened(backend);
    return backend;
  }

  // setAddresses(backend, addresses)
  void set_addresses(const Arguments& arguments) {
    const std::vector<BackendAddress> given = read_addresses(arguments, 1);
    // Only now: an address's properties may be getters, which may close the backend.
    const std::int32_t backend = owner_.backend_at(arguments, 0);
    std::vector<upstream::Address> addresses;
    for (const auto& [id, ip, port] : given) addresses.push_back({id, ip, port});
    if (!owner_.client().set_addresses(backend, addresses)) {
      refuse(arguments.env(), "an address is none");
    }
  }

  // failWaiting(backend, reason)
  void fail_waiting(const Arguments& arguments) {
    const std::int32_t backend = owner_.backend_at(arguments, 0);
    owner_.client().fail_waiting(backend, arguments.text(1));
  }

  // closeBackend(backend)
  void close_backend(const Arguments& arguments) {
    const std::int32_t backend = owner_.backend_at(arguments, 0);
    if (owner_.is_closing(backend)) refuse(arguments.env(), "the backend is closing");
    owner_.backend_closing(backend);
    owner_.client().close_backend(backend);
  }

  // send(backend, method, target, lines, more, flags, bodyLength): the call's number, and
  // kBodyWanted; -1 where the request can't be sent. Hot: one crossing, no allocation here nor, the
  // result being a small integer, there. Plain Node-API, as admit in counters.cc: a send and an
  // abort took 185 ns so, and 220 with Napi::CallbackInfo (AMD EPYC, Node 20, medians of processes;
  // a busy machine).
  static napi_value send(napi_env env, napi_callback_info info) {
    std::size_t count = kSendArguments;
    std::array<napi_value, kSendArguments> values;
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
    try {
      return to_js(env, static_cast<UpstreamFunctions*>(data)->send(env, values));
    } catch (const Napi::Error& error) {
      error.ThrowAsJavaScriptException();
      return nullptr;
    }
  }

  // write(call, Uint8Array): false to wait for kDrained, or because the call takes no more. Hot.
  bool write(const Arguments& arguments) {
    const std::int32_t call = owner_.call_at(arguments, 0);
    const std::span<const std::uint8_t> bytes = arguments.bytes(1);
    return owner_.is_call_open(call) &&
           owner_.client().write(call, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  // finish(call), pause(call), resume(call)
  template <void (Client::*command)(std::int32_t)>
  void forward(const Arguments& arguments) {
    const std::int32_t call = owner_.call_at(arguments, 0);
    if (owner_.is_call_open(call)) (owner_.client().*command)(call);
  }

  // abort(call)
  void abort(const Arguments& arguments) {
    const std::int32_t call = owner_.call_at(arguments, 0);
    if (!owner_.is_call_open(call)) return;
    owner_.client().abort(call);
    owner_.call_aborted(call);
  }

  // takeStates(backend): calls that wait; then of each address its id, requests since the last
  // call, connections, idle ones, and milliseconds for which it is set aside
  Napi::Value take_states(const Arguments& arguments) {
    const std::int32_t backend = owner_.backend_at(arguments, 0);
    std::vector<upstream::AddressState> states;
    std::vector<double> numbers;
    numbers.push_back(static_cast<double>(owner_.client().take_states(backend, states)));
    for (const upstream::AddressState& state : states) {
      numbers.push_back(state.id);
      numbers.push_back(state.requests);
      numbers.push_back(static_cast<double>(state.connections));
      numbers.push_back(static_cast<double>(state.idle));
      numbers.push_back(static_cast<double>(state.set_aside_ms));
    }
    const Napi::Array told = Napi::Array::New(arguments.env(), numbers.size());
    for (std::uint32_t at = 0; at < numbers.size(); ++at) told.Set(at, numbers[at]);
    return told;
  }

  // bodyBytes(backend), pressed(backend), occupancy(backend)
  template <auto question>
  double ask(const Arguments& arguments) {
    const std::int32_t backend = owner_.backend_at(arguments, 0);
    return static_cast<double>((owner_.client().*question)(backend));
  }

 private:
  static constexpr std::size_t kSendArguments = 7;

  std::int32_t send(Napi::Env env, const std::array<napi_value, kSendArguments>& values) {
    const auto& [backend_value, method, target, lines, more, flags_value, length] = values;
    const std::int32_t backend = owner_.backend_of(env, backend_value);
    const bool sendable = text_.read(env, method, target, lines, more);
    std::uint32_t flags = 0;
    Request request;
    if (napi_get_value_uint32(env, flags_value, &flags) != napi_ok ||
        napi_get_value_int64(env, length, &request.body_length) != napi_ok ||
        request.body_length < -1) {
      refuse(env, "flags and bodyLength are numbers");
    }
    if (!sendable) return -1;
    owner_.note_ticks();
    if (request.body_length == 0 && (flags & kSaysEmpty) != 0) {
      text_.append("content-length: 0\r\n");
    }
    request.head = text_.head();
    request.head_method = (flags & kHeadMethod) != 0;
    request.idempotent = (flags & kIdempotent) != 0;
    request.upgrade = (flags & kUpgrade) != 0 && request.body_length == 0;
    request.expects = (flags & kExpects) != 0;
    bool body_wanted = false;
    const std::int32_t call = owner_.client().send(backend, request, body_wanted);
    owner_.call_began(call);
    return body_wanted ? call | kBodyWanted : call;
  }

  UpstreamOwner& owner_;
  // of the request that is being sent
  RequestText text_;
};

}  // namespace

UpstreamOwner& export_upstream(Napi::Env env, Napi::Object exports, Ticks& ticks) {
  using Own = UpstreamFunctions;
  UpstreamOwner& owner = UpstreamOwner::make(env, ticks);
  Functions<Own>(exports, keep(env, std::make_unique<Own>(owner)))
      .add<&Own::create_client>("createClient")
      .add<&Own::open_backend>("openBackend")
      .add<&Own::set_addresses>("setAddresses")
      .add<&Own::fail_waiting>("failWaiting")
      .add<&Own::close_backend>("closeBackend")
      .add_plain("send", Own::send)
      .add<&Own::write>("write")
      .add<&Own::forward<&Client::finish>>("finish")
      .add<&Own::forward<&Client::pause>>("pause")
      .add<&Own::forward<&Client::resume>>("resume")
      .add<&Own::abort>("abort")
      .add<&Own::ask<&Client::body_bytes>>("bodyBytes")
      .add<&Own::ask<&Client::pressed>>("pressed")
      .add<&Own::ask<&Client::occupancy>>("occupancy")
      .add<&Own::take_states>("takeStates");
  return owner;
}

}  // namespace weir::binding
