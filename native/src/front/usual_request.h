// Which requests the front may refuse by itself (standing_refusals.h): those that are as most are,
// so that nothing of how they are spelled is left for JS to judge. Pure.
#pragma once

#include <string_view>

#include "front/request_reader.h"
#include "front/request_text.h"

namespace weir::front {

// Hot. One of the usual methods, without a body, plain (request_text.h), with a path that is its
// own normal form. @param query without its question mark
bool is_usual(const RequestReader& reader, std::string_view path, std::string_view query);

}  // namespace weir::front
