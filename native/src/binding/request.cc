// Reads a client's request header and address where uWebSockets.js keeps them. Called by
// src/edge/request/request-view.ts, which calls it only with the library's own objects, and only if the
// library is one of the builds whose memory is known (it compares the file's SHA-256).
//
// The library's objects hold a pointer in their first internal field. Node-API has no access to it,
// V8 has; the one function of V8 that it takes is looked up by name, so that no header of V8 is
// needed. HttpRequest begins with its header lines: method and target, then name and value, ended
// by a line without a name. HttpResponse is the socket, which begins with its poll handle and
// descriptor.
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

#include "binding/exports.h"
#include "binding/values.h"
#include "request/request_view.h"
#include "request/socket_state.h"

namespace weir::binding {

namespace {

// v8::Object::SlowGetAlignedPointerFromInternalField(int); a napi_value is a v8::Local
using InternalField = void* (*)(napi_value object, int index);

// As of the known builds.
constexpr std::size_t kLinesMax = 100;
constexpr std::size_t kDescriptorOffset = sizeof(void*);

// Numbers of the last view, in memory that JS reads.
enum ViewNumber : std::size_t {
  kForwardedLength,
  kHostOffset,
  kHostLength,
  kBodyLength,
  kViewNumbers
};

struct RequestReader {
  InternalField internal_field = nullptr;
  double* numbers = nullptr;
  napi_ref numbers_ref = nullptr;
  request::RequestView view;
};

// openRequestView(numbers: Float64Array of 4): whether this process has what it takes
napi_value open_request_view(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  if (arguments.given < 1 ||
      napi_get_typedarray_info(env, arguments.values[0], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_float64_array || length < kViewNumbers) {
    return refuse(env, "openRequestView(numbers)");
  }
  reader.internal_field = reinterpret_cast<InternalField>(
      dlsym(RTLD_DEFAULT, "_ZN2v86Object38SlowGetAlignedPointerFromInternalFieldEi"));
  if (reader.internal_field == nullptr) return boolean(env, false);
  if (reader.numbers_ref != nullptr) napi_delete_reference(env, reader.numbers_ref);
  napi_create_reference(env, arguments.values[0], 1, &reader.numbers_ref);
  reader.numbers = static_cast<double*>(data);
  return boolean(env, true);
}

struct HeaderLines {
  std::span<const request::HeaderLine> lines;
  // A line with an empty name hides those behind it; the end has no name at all.
  bool hides_some = false;
};

HeaderLines lines_of(const RequestReader& reader, napi_value request) {
  const auto* const lines =
      static_cast<const request::HeaderLine*>(reader.internal_field(request, 0));
  // The first is the request line.
  std::size_t count = 1;
  while (count < kLinesMax && lines[count].name_size > 0) ++count;
  return {{lines + 1, count - 1}, count == kLinesMax || lines[count].name_data != nullptr};
}

// @returns -1 once the response has ended, when its field is empty
int descriptor_of(const RequestReader& reader, napi_value response) {
  const auto* const socket = static_cast<const char*>(reader.internal_field(response, 0));
  int descriptor = -1;
  if (socket != nullptr) std::memcpy(&descriptor, socket + kDescriptorOffset, sizeof descriptor);
  return descriptor;
}

// viewRequest(request): its lines, or undefined if it is not plain. Hot.
napi_value view_request(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  if (reader.numbers == nullptr) return refuse(env, "no open request view");
  const HeaderLines header = lines_of(reader, arguments.values[0]);
  if (header.hides_some ||
      request::view_request(header.lines, reader.view) != request::ViewKind::kPlain) {
    return nullptr;
  }
  reader.numbers[kForwardedLength] = static_cast<double>(reader.view.forwarded_length);
  reader.numbers[kHostOffset] = static_cast<double>(reader.view.host_offset);
  reader.numbers[kHostLength] = static_cast<double>(reader.view.host_length);
  reader.numbers[kBodyLength] = static_cast<double>(reader.view.body_length);
  napi_value text = nullptr;
  napi_create_string_latin1(env, reader.view.lines.data(), reader.view.lines.size(), &text);
  return text;
}

// hidesLines(request): whether a line without a name hides lines behind it
napi_value hides_lines(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  if (reader.numbers == nullptr) return refuse(env, "no open request view");
  return boolean(env, lines_of(reader, arguments.values[0]).hides_some);
}

// peerOf(response): the peer's IPv4 address as a number, also where it is mapped into IPv6; else
// undefined. Hot.
napi_value peer_of(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  if (reader.numbers == nullptr) return refuse(env, "no open request view");
  const int descriptor = descriptor_of(reader, arguments.values[0]);
  if (descriptor < 0) return nullptr;
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) return nullptr;
  std::uint32_t number = 0;
  if (address.ss_family == AF_INET) {
    number = ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr);
  } else if (address.ss_family == AF_INET6) {
    const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    if (!IN6_IS_ADDR_V4MAPPED(&v6)) return nullptr;
    std::memcpy(&number, v6.s6_addr + 12, sizeof number);
    number = ntohl(number);
  } else {
    return nullptr;
  }
  napi_value result = nullptr;
  napi_create_uint32(env, number, &result);
  return result;
}

// boundReads(response): has the kernel keep at most so much of what the client sends that one read
// of the library's, 512 KiB, can't be filled: it would read again at once, whoever has asked it to
// pause.
napi_value bound_reads(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  if (reader.numbers == nullptr) return refuse(env, "no open request view");
  const int descriptor = descriptor_of(reader, arguments.values[0]);
  // The kernel takes twice as much, its own structures included.
  const int bytes = 200 * 1024;
  if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  return nullptr;
}

// acknowledgedBytes(response), bytesBeforeEnd(response): socket_state.h; -1 also once the response
// has ended
template <std::int64_t (*look)(int)>
napi_value look_at(napi_env env, napi_callback_info info) {
  Arguments<1, RequestReader> arguments(env, info);
  RequestReader& reader = *arguments.state;
  if (reader.numbers == nullptr) return refuse(env, "no open request view");
  const int descriptor = descriptor_of(reader, arguments.values[0]);
  return number(env, static_cast<double>(descriptor < 0 ? -1 : look(descriptor)));
}

}  // namespace

bool export_request(napi_env env, napi_value exports) {
  auto* const reader = new (std::nothrow) RequestReader();
  if (reader == nullptr) return false;
  napi_add_env_cleanup_hook(
      env, [](void* data) { delete static_cast<RequestReader*>(data); }, reader);
  constexpr std::array<Function, 7> functions = {
      {{"openRequestView", open_request_view},
       {"viewRequest", view_request},
       {"hidesLines", hides_lines},
       {"peerOf", peer_of},
       {"boundReads", bound_reads},
       {"acknowledgedBytes", look_at<&request::acknowledged_bytes>},
       {"bytesBeforeEnd", look_at<&request::bytes_before_end>}}};
  return export_functions(env, exports, functions, reader);
}

}  // namespace weir::binding
