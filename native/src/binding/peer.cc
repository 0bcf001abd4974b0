// The port of a client of the management API, which the server library knows and doesn't hand out.
// Called by src/management/http/peer.ts alone.
//
// The library's HttpResponse object holds a pointer in its first internal field; what it points to
// is the socket itself, for its public C API as for the library's own code. Node-API has no access
// to internal fields, V8 has; the one function of V8 is looked up by name.
#include <dlfcn.h>

#include <cstdint>
#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"

namespace weir::binding {

namespace {

// v8::Object::SlowGetAlignedPointerFromInternalField(int); a napi_value is a v8::Local
using InternalField = void* (*)(napi_value object, int index);
// us_socket_remote_port(int ssl, us_socket_t*); for the socket below TLS, too, if `ssl` is 0
using RemotePort = int (*)(int ssl, void* socket);

class PeerFunctions {
 public:
  // openPeerPorts(file): whether this library and this Node have what it takes
  bool open(const Arguments& arguments) {
    const ServerLibrary library(arguments.text(0));
    internal_field_ = reinterpret_cast<InternalField>(
        dlsym(RTLD_DEFAULT, "_ZN2v86Object38SlowGetAlignedPointerFromInternalFieldEi"));
    return internal_field_ != nullptr && library.find("us_socket_remote_port", remote_port_);
  }

  // peerPort(response): 0 once the response has ended, when its field is empty
  std::int32_t port(const Arguments& arguments) {
    if (internal_field_ == nullptr || remote_port_ == nullptr || !arguments[0].IsObject()) return 0;
    void* const socket = internal_field_(arguments[0], 0);
    return socket == nullptr ? 0 : remote_port_(0, socket);
  }

 private:
  InternalField internal_field_ = nullptr;
  RemotePort remote_port_ = nullptr;
};

}  // namespace

void export_peer(Napi::Env env, Napi::Object exports) {
  using Own = PeerFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::open>("openPeerPorts")
      .add<&Own::port>("peerPort");
}

}  // namespace weir::binding
