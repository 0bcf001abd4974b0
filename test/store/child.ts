/**
 * The other process of the store's tests. `hold` keeps the store open, `add-key` adds a key beside it,
 * `read` answers each line with what a reader sees, `storm` writes as fast as it can and prints each
 * acknowledged write, `cut` cuts a file short in the middle of reading it. Run with Node's type stripping.
 */
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openKeyStore, openReader, openStore, StoreError } from "../../src/store/open.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { everyPolicy } from "./every-policy.ts";

const [mode, folder = ""] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

if (mode === "hold") {
	openStore(folder);
	say("open");
	setInterval(() => undefined, 60_000);
} else if (mode === "add-key") {
	const keys = openKeyStore(folder);
	await keys.addKey({ id: "key_child", name: "", role: "admin", hash: "00", createdAt: "" });
	say("added");
} else if (mode === "read") {
	const reader = openReader(folder);
	say("open");
	for await (const _line of createInterface({ input: process.stdin })) {
		reader.refresh();
		const match = reader.route("e", "r")?.document.match;
		say(JSON.stringify([match, reader.policy("e", "r")?.document.inbound[0]?.name.length]));
	}
} else if (mode === "cut") {
	const reader = openReader(folder);
	const name = process.argv[4] ?? "";
	const keptBytes = Number(process.argv[5]);
	let count = 0;
	try {
		for (const _policy of everyPolicy(reader)) {
			if (count++ === 0) truncateSync(join(folder, name), keptBytes);
		}
		say("read all");
		reader.refresh();
		reader.counts();
	} catch (error) {
		say(error instanceof StoreError && error.lost ? "lost" : String(error));
	}
	// as the end of a process does, with all that lmdb does then
	process.exit(0);
} else if (mode === "storm") {
	const store = openStore(folder);
	const start = Number(process.argv[4]);
	const writer = async (id: number) => {
		for (let count = start; ; count++) {
			const edgeId = `edge-${id}`;
			await store.putEdge(edgeId, edgeOf(`${id}.example`, `n${count}.${id}.example`), {});
			say(`edge ${id} ${count}`);
			await store.putRoute(edgeId, "r", routeOf(`/${count}`), {});
			say(`route ${id} ${count}`);
			await store.putPolicy(edgeId, "r", policyOf(`${count} ${"x".repeat(count % 5000)}`), {});
			say(`policy ${id} ${count}`);
			if (count % 7 === 0) {
				await store.deleteEdge(edgeId, {});
				say(`gone ${id} ${count}`);
			}
		}
	};
	for (let id = 0; id < 8; id++) void writer(id);
}
