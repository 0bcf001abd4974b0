// The corpus of the reader of PROXY protocol frames.
#include "../fuzz/proxy_frame_target.h"
#include "play_corpus.h"

int main() { return weir::test::play_corpus(weir::test::complaint); }
