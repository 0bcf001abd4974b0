// The functions of the addon that write what JS answers. Added by front_connections.cc.
#pragma once

#include "binding/front_owner.h"

namespace weir::binding {

// @param owner lives as long as the environment
void add_front_answers(Napi::Object exports, FrontOwner& owner);

}  // namespace weir::binding
