// Puts the addon at build/weir.node: the one that the package brought along where it fits this machine,
// else one compiled here. Called by `npm install`. Where nothing changed since the last build, nothing is
// built. WEIR_BUILD_FROM_SOURCE=1 in the environment compiles in any case.
import { isUpToDate, loads, put, stamp, stop } from "./addon/addon-file.mjs";
import { compile } from "./addon/compile.mjs";
import { prebuilt } from "./addon/prebuilt.mjs";

const wanted = stamp();
const fromSource = process.env.WEIR_BUILD_FROM_SOURCE === "1";
const ready = fromSource ? undefined : prebuilt(wanted);
if (fromSource || !isUpToDate(wanted)) {
	if (ready !== undefined) {
		put(ready, wanted);
	} else {
		const { file, tool } = compile();
		if (!loads(file)) stop(`the native addon was built, but Node cannot load ${file}.`);
		put(file, wanted);
		console.log(`weir: native addon built with ${tool}`);
	}
}
