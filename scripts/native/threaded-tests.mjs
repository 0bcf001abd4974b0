// Which C++ tests have threads: those whose source, or a header that it reaches by #include "…", starts one.
// In the others the thread sanitizer has nothing to watch. Called by scripts/native-test.mjs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const STARTS_THREAD = /\bstd::(?:jthread|thread|async)\b|\bpthread_create\b|\buv_thread_create\b/;
const INCLUDE = /^#include "([^"]+)"/gm;
const SUFFIX = "_test.cc";

/** @param {string} folder native/ @returns {string[]} names of test programs */
export function threadedTests(folder) {
	/** @type {Map<string, boolean>} */
	const known = new Map();

	/** @param {string} file @returns {boolean} */
	const hasThreads = (file) => {
		const before = known.get(file);
		if (before !== undefined) return before;
		known.set(file, false);
		const text = readFileSync(file, "utf8");
		const included = [...text.matchAll(INCLUDE)].map(([, name = ""]) => {
			const places = [dirname(file), join(folder, "src"), join(folder, "test")];
			const place = places.find((each) => existsSync(join(each, name)));
			if (place === undefined) throw new Error(`${file}: "${name}" was not found`);
			return join(place, name);
		});
		const has = STARTS_THREAD.test(text) || included.some(hasThreads);
		known.set(file, has);
		return has;
	};

	const sources = readdirSync(join(folder, "src"), { encoding: "utf8", recursive: true });
	const code = sources.filter((name) => /\.(?:cc|h)$/.test(name));
	// What weir itself starts may be under any test.
	const everywhere = code.some((name) => hasThreads(join(folder, "src", name)));
	const tests = readdirSync(join(folder, "test")).filter((name) => name.endsWith(SUFFIX));
	return tests
		.filter((name) => everywhere || hasThreads(join(folder, "test", name)))
		.map((name) => name.slice(0, -".cc".length))
		.sort();
}
