/** Policies for all routes or for each its own, with the address lists of both sides. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPolicies } from "../../../src/process/replay/policy-source.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-replay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const OPTIONS = { rulesPerPhase: 100 };

function file(name: string, document: unknown): string {
	const path = join(folder, name);
	writeFileSync(path, JSON.stringify(document));
	return path;
}
function good(path: string) {
	const read = readPolicies(path, OPTIONS);
	if (!read.ok) throw new Error(read.error.join(""));
	return read.value;
}

const DENY = { actions: [{ type: "deny", config: { status_code: 403 } }] };

describe("a policy", () => {
	it("is for all routes, also wrapped or switched off", () => {
		for (const document of [{ inbound: [DENY] }, { module: { inbound: [DENY] } }]) {
			const source = good(file("policy.json", document)).source(new Map());
			expect([source.covers("a", "b"), source.isByRoute]).toEqual([true, false]);
			expect(source.policyOf("a", "b")).toBe(source.policyOf("c", "d"));
		}
		expect(good(file("off.json", { enabled: false, inbound: [DENY] }))).toBeDefined();
	});

	it("asks the lists of the other side, and others are empty", () => {
		const { lists } = good(
			file("site.json", {
				ip_lists: { l: { entries: ["192.0.2.0/24"] } },
				policies: { "e/r": {} },
			}),
		);
		const source = good(file("policy.json", { inbound: [DENY] })).source(lists);
		expect(source.addressLists.find("l")?.set.has("192.0.2.9")).toBe(true);
		expect(source.addressLists.find("m")?.set.has("192.0.2.9")).toBe(false);
		expect([...source.missingLists]).toEqual(["m"]);
	});
});

it("files of resources hold a policy for each route, and cover no other", () => {
	const policies = { "e/r": { inbound: [DENY] }, "e/s": { inbound: [] } };
	const path = file("site.json", { policies });
	for (const given of [path, mkFolder(policies)]) {
		const source = good(given).source(new Map());
		expect([source.covers("e", "r"), source.covers("e", "t"), source.isByRoute]).toEqual([
			...[true, false, true],
		]);
		expect(source.policyOf("e", "r")).toBe(source.policyOf("e", "r"));
		expect(source.policyOf("e", "t")).toBeUndefined();
	}
});

function mkFolder(policies: object): string {
	const inner = mkdtempSync(join(folder, "site-"));
	writeFileSync(join(inner, "a.json"), JSON.stringify({ policies }));
	return inner;
}

describe("what is none", () => {
	it.each<[unknown, string]>([
		[{ inbuond: [] }, "inbuond"],
		[{ inbound: [{ expressions: ["nope"], actions: [] }] }, "unknown variable"],
		[{ listen: "127.0.0.1:1" }, "it is a config file"],
		[{ ip_lists: {} }, "it holds no policy"],
	])("%j", (document, sentence) => {
		const read = readPolicies(file("wrong.json", document), OPTIONS);
		expect(read.ok ? "" : read.error.join("")).toContain(sentence);
	});

	it("is not there", () => {
		const read = readPolicies(join(folder, "nowhere.yaml"), OPTIONS);
		expect(read).toMatchObject({ error: [expect.stringContaining("there is no such file")] });
	});
});
