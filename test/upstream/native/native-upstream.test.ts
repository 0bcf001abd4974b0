/** The native implementation of `Upstream`: the suite of all implementations. */
import { createNativeUpstream } from "../../../src/upstream/native/native-upstream.ts";
import { upstreamSuite } from "../suite/suite.ts";

upstreamSuite("native upstream", createNativeUpstream);
