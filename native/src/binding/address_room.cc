// Where memory lies, as a function. Called by src/process/gathered-memory.ts.
#include "address_room.h"

#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

class AddressRoomFunctions {
 public:
  // takeDrawnAddresses(): bytes that were taken
  double take(const Arguments&) { return static_cast<double>(take_drawn_addresses()); }
};

}  // namespace

void export_address_room(Napi::Env env, Napi::Object exports) {
  using Own = AddressRoomFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>())).add<&Own::take>("takeDrawnAddresses");
}

}  // namespace weir::binding
