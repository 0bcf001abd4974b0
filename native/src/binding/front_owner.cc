#include "binding/front_owner.h"

#include <array>
#include <cstring>
#include <string>

#include "binding/errors.h"
#include "binding/functions.h"

namespace weir::binding {

namespace {

using front::BodyKind;
using front::Connection;

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

template <typename Item>
std::span<Item> memory_of(Napi::Object shared, const char* name, napi_typedarray_type wanted,
                          std::size_t least) {
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  const napi_status status = napi_get_typedarray_info(shared.Env(), shared.Get(name), &type,
                                                      &length, &data, nullptr, nullptr);
  if (status != napi_ok || type != wanted || length < least) {
    refuse(shared.Env(), std::string(name) + " is no such memory");
  }
  return {static_cast<Item*>(data), length};
}

Napi::FunctionReference function_of(Napi::Object heard, const char* name) {
  const Napi::Value value = heard.Get(name);
  if (!value.IsFunction()) refuse(heard.Env(), std::string(name) + " is no function");
  return Napi::Persistent(value.As<Napi::Function>());
}

}  // namespace

void FrontOwner::open(const front::ConnectionApi& api, Napi::Value shared, Napi::Value heard) {
  if (front_ != nullptr) refuse(env_, "there is a front");
  if (!shared.IsObject() || !heard.IsObject()) refuse(env_, "memory and functions are objects");
  const auto memory = shared.As<Napi::Object>();
  turns_ = memory_of<std::uint8_t>(memory, "turns", napi_uint8_array, 1);
  numbers_ = memory_of<double>(memory, "numbers", napi_float64_array, kNumbers);
  address_ = memory_of<std::uint8_t>(memory, "address", napi_uint8_array, kAddressBytesMax);
  body_ = memory_of<std::uint8_t>(memory, "body", napi_uint8_array, 1);
  const auto functions = heard.As<Napi::Object>();
  on_requested_ = function_of(functions, "requested");
  on_received_ = function_of(functions, "received");
  on_writable_ = function_of(functions, "writable");
  on_gone_ = function_of(functions, "gone");
  // The memory stays where it is as long as the object that has it.
  shared_kept_ = Napi::Persistent(memory);
  context_ = std::make_unique<Napi::AsyncContext>(env_, "weir:front");
  front_ = std::make_unique<front::Front>(api, *this, turns_);
}

// Hot. Microtasks and process.nextTick run before this returns, unless JS called what led here. As
// in upstream_owner.cc, what fails is not thrown: an environment that is being terminated runs
// nothing any more, and there is nobody to tell.
void FrontOwner::call(const Napi::FunctionReference& function, std::span<const napi_value> values) {
  const napi_status status = napi_make_callback(env_, *context_, env_.Global(), function.Value(),
                                                values.size(), values.data(), nullptr);
  if (status != napi_pending_exception) return;
  napi_value error = nullptr;
  if (napi_get_and_clear_last_exception(env_, &error) == napi_ok) napi_fatal_exception(env_, error);
}

void FrontOwner::requested(Connection& connection) {
  const Napi::HandleScope scope(env_);
  ticks_.note();
  unsigned flags = 0;
  if (connection.refused) {
    front::write_refusal(connection.refusal, connection.reader.refused_line(), text_);
  } else {
    flags = note_request(connection);
  }
  if (connection.fresh) flags |= kFresh | note_connection(connection);
  if (connection.last) flags |= kLast;
  set(kKind, static_cast<unsigned>(text_.kind));
  numbers_[kHandle] = static_cast<double>(connection.handle);
  set(kSlot, connection.slot);
  set(kListener, connection.listener->number);
  set(kFlags, flags);
  napi_value text = nullptr;
  napi_create_string_latin1(env_, text_.text.data(), text_.text.size(), &text);
  call(on_requested_, {&text, 1});
}

unsigned FrontOwner::note_request(const Connection& connection) {
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

unsigned FrontOwner::note_connection(Connection& connection) {
  connection.fresh = false;
  set(kAddressBytes, connection.address_bytes);
  set(kPort, connection.port);
  numbers_[kOpenedMs] = connection.opened_ms;
  std::memcpy(address_.data(), connection.address.data(), connection.address.size());
  return (connection.proxied ? kProxied : 0U) | (connection.tls_client.empty() ? 0U : kSecure);
}

// In pieces of the memory that JS reads: what the library has read is its own, and JS keeps hold of
// memory that it has seen.
void FrontOwner::received(Connection& connection, std::string_view data, bool last) {
  do {
    const Napi::HandleScope scope(env_);
    const std::size_t size = data.copy(reinterpret_cast<char*>(body_.data()), body_.size());
    data.remove_prefix(size);
    const std::array<napi_value, 3> values = {to_js(env_, connection.slot),
                                              to_js(env_, static_cast<std::uint32_t>(size)),
                                              to_js(env_, last && data.empty())};
    call(on_received_, values);
  } while (!data.empty() && !connection.closed && (turns_[connection.slot] & front::kPending) != 0);
}

void FrontOwner::writable(Connection& connection) {
  const Napi::HandleScope scope(env_);
  const napi_value slot = to_js(env_, connection.slot);
  call(on_writable_, {&slot, 1});
}

void FrontOwner::gone(Connection& connection) {
  const Napi::HandleScope scope(env_);
  const napi_value slot = to_js(env_, connection.slot);
  call(on_gone_, {&slot, 1});
}

}  // namespace weir::binding
