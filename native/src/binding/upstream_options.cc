#include "binding/upstream_options.h"

#include <cstdint>
#include <limits>

namespace weir::binding {

upstream::ClientOptions read_client_options(const Arguments& arguments, std::size_t at) {
  const Options given(arguments.env(), arguments[at], "the client's options");
  upstream::ClientOptions options;
  options.parser.head_bytes = given.number32("headBytes");
  options.parser.header_lines = given.number32("headerLines");
  options.parser.interim_responses = given.number32("interimResponses");
  options.idle_ms = given.number32("idleMs");
  options.idle_hinted_ms = given.number32("idleHintedMs");
  options.idle_margin_ms = given.number32("idleMarginMs");
  options.reuse_ms = given.number32("reuseMs");
  options.body_buffer_bytes = given.number32("bodyBufferBytes");
  options.set_aside_first_ms = given.number32("setAsideFirstMs");
  options.set_aside_last_ms = given.number32("setAsideLastMs");
  options.pipelining_max = given.number32("pipeliningMax", 1);
  options.random_seed = given.number("seed");
  return options;
}

upstream::BackendOptions read_backend_options(const Arguments& arguments, std::size_t at) {
  const Options given(arguments.env(), arguments[at], "a backend's options");
  upstream::BackendOptions options;
  options.connect_timeout_ms = given.number32("connectTimeoutMs");
  options.response_timeout_ms = given.number32("responseTimeoutMs");
  options.idle_timeout_ms = given.number32("idleTimeoutMs");
  options.connections = given.number32("connections", 1);
  options.queue = given.number32("queue");
  options.pipelining = given.number32("pipelining", 1);
  return options;
}

std::vector<BackendAddress> read_addresses(const Arguments& arguments, std::size_t at) {
  if (!arguments[at].IsArray()) arguments.refuse(at, "is no array of addresses");
  const Napi::Array list = arguments[at].As<Napi::Array>();
  std::vector<BackendAddress> addresses;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const Options given(arguments.env(), list[i], "an address");
    BackendAddress& address = addresses.emplace_back();
    address.id = static_cast<std::int32_t>(given.number32("id"));
    address.ip = given.text("ip");
    address.port =
        static_cast<std::uint16_t>(given.number("port", std::numeric_limits<std::uint16_t>::max()));
  }
  return addresses;
}

}  // namespace weir::binding
