/**
 * Loaded into weir's processes before their own code by `bench/garbage.mjs`: at SIGUSR2 a worker begins to sample what it
 * allocates, at the next one it writes what it has found to a file.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";

const FILE = process.env.WEIR_BENCH_GARBAGE;
const OPTIONS = {
	samplingInterval: 2048,
	includeObjectsCollectedByMajorGC: true,
	includeObjectsCollectedByMinorGC: true,
};

if (FILE !== undefined && process.argv[1]?.endsWith("worker-entry.js")) {
	const session = new Session();
	session.connect();
	let begun = false;
	process.on("SIGUSR2", () => {
		if (!begun) session.post("HeapProfiler.startSampling", OPTIONS);
		else
			session.post("HeapProfiler.stopSampling", (error, result) => {
				writeFileSync(FILE, JSON.stringify(error ?? result.profile));
			});
		begun = !begun;
	});
}
