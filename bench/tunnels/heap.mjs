/**
 * Bytes of V8's heap that the workers of a weir can't do without, by heap snapshots, which collect all garbage first.
 * Resident memory tells less of them: it has what nobody has collected yet. Used by `bench/tunnels.mjs`.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const SIGNAL = "SIGWINCH";
const WAIT_MS = 60_000;

/** `NODE_OPTIONS` of a weir whose workers write snapshots. @param {string} folder */
export const snapshotOptions = (folder) =>
	`--heapsnapshot-signal=${SIGNAL} --diagnostic-dir=${folder}`;

/** @param {number} supervisor @returns {number[]} */
const workersOf = (supervisor) =>
	readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, "utf8")
		.trim()
		.split(" ")
		.map(Number)
		.filter((id) => id > 1);

/** @param {string} file @returns {number | undefined} undefined while it is being written */
const bytesIn = (file) => {
	try {
		const { snapshot, nodes } = JSON.parse(readFileSync(file, "utf8"));
		const fields = snapshot.meta.node_fields;
		const at = fields.indexOf("self_size");
		let bytes = 0;
		for (let node = 0; node < nodes.length; node += fields.length) bytes += nodes[node + at];
		return bytes;
	} catch {
		return undefined;
	}
};

/** @param {number} supervisor its process id @param {string} folder of `snapshotOptions`, which holds nothing else @returns {Promise<number>} */
export const heapBytes = async (supervisor, folder) => {
	let all = 0;
	for (const worker of workersOf(supervisor)) {
		process.kill(worker, SIGNAL);
		const deadline = performance.now() + WAIT_MS;
		for (;;) {
			const [name] = readdirSync(folder).filter((each) => each.endsWith(".heapsnapshot"));
			const bytes = name === undefined ? undefined : bytesIn(join(folder, name));
			if (name !== undefined && bytes !== undefined) {
				all += bytes;
				rmSync(join(folder, name));
				break;
			}
			if (performance.now() > deadline) throw new Error("a worker wrote no heap snapshot");
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
	return all;
};
