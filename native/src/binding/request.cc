// Reads a client's request header and address where uWebSockets.js keeps them. Called by
// src/edge/request/request-view.ts, which calls it only with the library's own objects, and only if
// the library is one of the builds whose memory is known (it compares the file's SHA-256).
//
// The library's objects hold a pointer in their first internal field. Node-API has no access to it,
// V8 has; the one function of V8 that it takes is looked up by name, so that no header of V8 is
// needed. HttpRequest begins with its header lines: method and target, then name and value, ended
// by a line without a name. HttpResponse is the socket, which begins with its poll handle and
// descriptor.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "binding/functions.h"
#include "binding/parts.h"
#include "request/request_view.h"
#include "request/socket_state.h"

namespace weir::binding {

namespace {

// v8::Object::SlowGetAlignedPointerFromInternalField(int); a napi_value is a v8::Local
using InternalField = void* (*)(napi_value object, int index);

// As of the known builds: the library's own array of lines, and its socket. Not our bound of lines
// (src/limits/http.ts): a larger one would not make the array larger.
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

struct HeaderLines {
  std::span<const request::HeaderLine> lines;
  // A line with an empty name hides those behind it; the end has no name at all.
  bool hides_some = false;
};

class RequestFunctions {
 public:
  // openRequestView(numbers: Float64Array, receiveBufferBytes): whether this process has what it
  // takes
  bool open(const Arguments& arguments) {
    const Napi::Value numbers = arguments[0];
    if (!numbers.IsTypedArray() ||
        numbers.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array ||
        numbers.As<Napi::TypedArray>().ElementLength() < kViewNumbers) {
      arguments.refuse(0, "is no Float64Array of enough numbers");
    }
    const std::uint64_t buffer_bytes = arguments.number(1, INT32_MAX);
    internal_field_ = reinterpret_cast<InternalField>(
        dlsym(RTLD_DEFAULT, "_ZN2v86Object38SlowGetAlignedPointerFromInternalFieldEi"));
    if (internal_field_ == nullptr) return false;
    numbers_kept_ = Napi::Persistent(numbers.As<Napi::Object>());
    numbers_ = numbers.As<Napi::Float64Array>().Data();
    receive_buffer_bytes_ = static_cast<int>(buffer_bytes);
    return true;
  }

  // viewRequest(request): its lines, or undefined if it is not plain. Hot. Plain Node-API, as admit
  // in counters.cc.
  static napi_value view(napi_env env, napi_callback_info info) {
    std::size_t count = 1;
    napi_value request = nullptr;
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, &request, nullptr, &data);
    try {
      return static_cast<RequestFunctions*>(data)->view(env, request);
    } catch (const Napi::Error& error) {
      error.ThrowAsJavaScriptException();
      return nullptr;
    }
  }

  // hidesLines(request): whether a line without a name hides lines behind it
  bool hides_lines(const Arguments& arguments) {
    return lines_of(arguments.env(), arguments[0]).hides_some;
  }

  // peerOf(response): the peer's IPv4 address as a number, else undefined. Hot.
  Napi::Value peer_of(const Arguments& arguments) {
    const std::int64_t address = request::peer_ipv4(descriptor_of(arguments));
    if (address < 0) return {};
    return to_js(arguments.env(), static_cast<std::uint32_t>(address));
  }

  // boundReads(response): has the kernel keep at most so much of what the client sends that one
  // read of the library's, 512 KiB, can't be filled: it would read again at once, whoever has asked
  // it to pause.
  void bound_reads(const Arguments& arguments) {
    request::bound_reads(descriptor_of(arguments), receive_buffer_bytes_);
  }

  // acknowledgedBytes(response), bytesBeforeEnd(response): socket_state.h; -1 also once the
  // response has ended
  template <std::int64_t (*look)(int)>
  double look_at(const Arguments& arguments) {
    const int descriptor = descriptor_of(arguments);
    return static_cast<double>(descriptor < 0 ? -1 : look(descriptor));
  }

 private:
  napi_value view(napi_env env, napi_value request) {
    const HeaderLines header = lines_of(env, request);
    if (header.hides_some ||
        request::view_request(header.lines, view_) != request::ViewKind::kPlain) {
      return nullptr;
    }
    numbers_[kForwardedLength] = static_cast<double>(view_.forwarded_length);
    numbers_[kHostOffset] = static_cast<double>(view_.host_offset);
    numbers_[kHostLength] = static_cast<double>(view_.host_length);
    numbers_[kBodyLength] = static_cast<double>(view_.body_length);
    // Napi::String takes no latin1.
    napi_value text = nullptr;
    napi_create_string_latin1(env, view_.lines.data(), view_.lines.size(), &text);
    return text;
  }

  const void* memory_of(napi_env env, napi_value object) const {
    if (numbers_ == nullptr) refuse(env, "no open request view");
    return internal_field_(object, 0);
  }

  HeaderLines lines_of(napi_env env, napi_value request) const {
    const auto* const lines = static_cast<const request::HeaderLine*>(memory_of(env, request));
    // The first is the request line.
    std::size_t count = 1;
    while (count < kLinesMax && lines[count].name_size > 0) ++count;
    return {{lines + 1, count - 1}, count == kLinesMax || lines[count].name_data != nullptr};
  }

  // @returns -1 once the response has ended, when its field is empty
  int descriptor_of(const Arguments& arguments) const {
    const auto* const socket = static_cast<const char*>(memory_of(arguments.env(), arguments[0]));
    int descriptor = -1;
    if (socket != nullptr) std::memcpy(&descriptor, socket + kDescriptorOffset, sizeof descriptor);
    return descriptor;
  }

  InternalField internal_field_ = nullptr;
  // nullptr: not open
  double* numbers_ = nullptr;
  Napi::ObjectReference numbers_kept_;
  int receive_buffer_bytes_ = 0;
  request::RequestView view_;
};

}  // namespace

void export_request(Napi::Env env, Napi::Object exports) {
  using Own = RequestFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::open>("openRequestView")
      .add_plain("viewRequest", Own::view)
      .add<&Own::hides_lines>("hidesLines")
      .add<&Own::peer_of>("peerOf")
      .add<&Own::bound_reads>("boundReads")
      .add<&Own::look_at<&request::acknowledged_bytes>>("acknowledgedBytes")
      .add<&Own::look_at<&request::bytes_before_end>>("bytesBeforeEnd");
  Napi::Object layout = Napi::Object::New(env);
  layout.Set("forwardedLength", static_cast<double>(kForwardedLength));
  layout.Set("hostOffset", static_cast<double>(kHostOffset));
  layout.Set("hostLength", static_cast<double>(kHostLength));
  layout.Set("bodyLength", static_cast<double>(kBodyLength));
  layout.Set("numbers", static_cast<double>(kViewNumbers));
  exports.Set("requestViewLayout", layout);
}

}  // namespace weir::binding
