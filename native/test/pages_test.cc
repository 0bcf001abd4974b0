// Proves that a page is only used as what it is: a reference whose page is of another type, as one
// leaves it who attaches to a record that has become another's, is as good as none.
#include "counters/pages.h"

#include "check.h"
#include "counters/mapping.h"

namespace {

using namespace weir::counters;

void another_type() {
  Mapping mapping;
  CHECK(mapping.open_memory(4 * kSegmentBytes) == 0);
  Pages<AtomicWord, Mapping> pages(mapping);
  pages.header(kSegments).store(1);
  const std::uint64_t reference =
      Pages<AtomicWord, Mapping>::first_word(kHeaderPage) + kRootReferences;
  const std::uint64_t small = pages.attach(reference, PageType::kEntries64);
  CHECK(small != pages.kNone);
  CHECK(pages.resolve(reference, PageType::kEntries64) == small);
  CHECK(pages.resolve(reference, PageType::kEntries512) == pages.kNone);
  CHECK(pages.attach(reference, PageType::kEntries64) == small);

  const std::uint64_t large = pages.attach(reference, PageType::kEntries512);
  CHECK(large != pages.kNone && large != small);
  CHECK(page_word::type(pages.own_word(large).load()) == PageType::kEntries512);
  CHECK(page_word::type(pages.own_word(small).load()) == PageType::kEntries64);
  CHECK(pages.resolve(reference, PageType::kEntries512) == large);
  CHECK(pages.resolve(reference) == large);
}

}  // namespace

int main() {
  another_type();
  return weir::test::finish();
}
