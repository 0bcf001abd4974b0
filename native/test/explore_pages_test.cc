// Proves, of pages.h, for every interleaving of threads that attach references to too few pages and
// release them: a page that is owned is named by its owner, hence is at most one reference's; what
// was given is kept; wherever threads stop, a newcomer gets a page if one is free.
#include "explore/page_program.h"

namespace {

using namespace weir::explore;

constexpr PageAct attach(unsigned reference) { return {PageAct::kAttach, reference}; }
constexpr PageAct release(unsigned reference) { return {PageAct::kRelease, reference}; }

bool explore_all() {
  std::vector<PageCase> cases = {
      {"2 threads attach one, 2 pages", 1, 2, false, {{attach(0)}, {attach(0)}}},
      {"2 threads attach two, 1 page", 2, 1, false, {{attach(0), attach(1)}, {attach(1)}}},
      {"2 threads attach two, 1 freed page", 2, 1, true, {{attach(0), attach(1)}, {attach(1)}}},
      {"2 threads attach and release", 2, 2, true, {{attach(0), release(0)}, {attach(1)}}},
  };
  if (!kSanitized) {
    cases.push_back({"a page comes back while somebody is about to take it",
                     2,
                     2,
                     false,
                     {{attach(0)}, {attach(0), release(0), attach(1), attach(0), release(1)}}});
    cases.push_back({"3 threads attach one", 1, 2, false, {{attach(0)}, {attach(0)}, {attach(0)}}});
    cases.push_back(
        {"3 threads attach three, 2 pages", 3, 2, false, {{attach(0)}, {attach(1)}, {attach(2)}}});
    cases.push_back({"3 threads attach two, 2 freed pages",
                     2,
                     2,
                     true,
                     {{attach(0)}, {attach(1)}, {attach(0)}}});
    cases.push_back({"3 threads, one releases",
                     2,
                     2,
                     true,
                     {{attach(0), release(0)}, {attach(1)}, {attach(0)}}});
  }
  for (const PageCase& the : cases) {
    if (!PageProgram(the).explore()) return false;
  }
  return true;
}

}  // namespace

int main() {
  explore_all();
  return weir::test::finish();
}
