/** All pages are read, and each document without what follows from its path. */
import { expect, it } from "vitest";
import { readNamed, readServer } from "../../../src/process/apply/server-state.ts";

const PAGES: Readonly<Record<string, unknown>> = {
	"/ip-lists?limit=100": { ip_lists: [{ id: "l" }], next_page_uri: null },
	"/edges/https?limit=100": {
		edges: [{ id: "f", uri: "u", hostports: ["f"] }],
		next_page_uri: "/edges/https?before_id=f",
	},
	"/edges/https?before_id=f": { edges: [{ id: "e", hostports: ["e"] }], next_page_uri: null },
	"/edges/https/f/routes?limit=100": { routes: [], next_page_uri: null },
	"/edges/https/e/routes?limit=100": {
		routes: [{ id: "r", edge_id: "e", uri: "u", match: "/" }],
		next_page_uri: null,
	},
	"/policies?limit=100": { policies: [{ id: "r", edge_id: "e" }], next_page_uri: null },
	"/ip-lists/l": { id: "l", uri: "u", entries: ["::1"] },
	"/edges/https/e/routes/r/policy": { enabled: true },
};
const client = {
	url: "http://api",
	async get(path: string) {
		const body = PAGES[path];
		return body === undefined ? undefined : { status: 200, etag: '"e"', body };
	},
};

it("reads all there is", async () => {
	const told: number[] = [];
	const found = await readServer(client, (done) => told.push(done));
	expect(Object.fromEntries([...found].map(([key, { document }]) => [key, document]))).toEqual({
		"edge f": { hostports: ["f"] },
		"edge e": { hostports: ["e"] },
		"route e/r": { match: "/" },
		"ip_list l": { entries: ["::1"] },
		"policy e/r": { enabled: true },
	});
	expect(Math.max(...told)).toBe(1);
	expect(found.get("policy e/r")?.etag).toBe('"e"');
});

it("reads what is named and is there, and knows what is no list", async () => {
	const names = [
		{ kind: "policy", name: "e/r" },
		{ kind: "edge", name: "none" },
	] as const;
	expect([...(await readNamed(client, names)).keys()]).toEqual(["policy e/r"]);
	const other = { url: "http://other", get: async () => undefined };
	await expect(readServer(other)).rejects.toThrow("http://other/ip-lists is no list of weir's");
});
