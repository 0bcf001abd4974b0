// Proves that each code is somebody's, in the table's order, and that the codes and statuses which the C++ request
// reader refuses with are those of the table, which is whole.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codesOf } from "../src/error-code-origins.ts";
import { ERROR_CODES } from "../src/error-codes.ts";

it("gives each side its own codes and those of both", () => {
	const all = Object.keys(ERROR_CODES);
	const api: readonly string[] = codesOf("api");
	const edge: readonly string[] = codesOf("edge");
	expect(all.filter((code) => api.includes(code) || edge.includes(code))).toEqual(all);
	expect(all.filter((code) => api.includes(code))).toEqual(api);
	expect(all.filter((code) => edge.includes(code))).toEqual(edge);
	expect(api).toContain("ERR_FORBIDDEN");
	expect(edge).not.toContain("ERR_FORBIDDEN");
	expect(api).toContain("ERR_BAD_REQUEST");
	expect(edge).toContain("ERR_BAD_REQUEST");
});

it("has the codes of the request reader, for both sides", () => {
	const path = join(import.meta.dirname, "..", "native", "src", "front", "refusals.h");
	const text = readFileSync(path, "utf8");
	const found = [...text.matchAll(/\{(\d{3}),\s*"(ERR_[A-Z0-9_]+)"/g)];
	expect(found.length).toBeGreaterThanOrEqual(7);
	const table: Readonly<Record<string, { readonly status: number; readonly origin: string }>> =
		ERROR_CODES;
	for (const [, status, code = ""] of found) {
		expect(table[code], code).toMatchObject({ status: Number(status) });
	}
});

/** Codes that only programs of this process see: Node's and the addon's own, thrown from C++. */
const INSIDE =
	/^ERR_(?:WEIR|ADDON|COUNTERS|SSL|TLS|OSSL|CRYPTO|INVALID_ARG|STREAM|HTTP2?|SOCKET|WORKER|DLOPEN|IPC|MODULE)_|^ERR_ZLIB$/;

it("has every code that weir raises, and weir raises every code that it has", () => {
	const root = join(import.meta.dirname, "..");
	const files = ["src", "native/src"].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
			.filter((name) => /\.(?:ts|cc|h)$/.test(name))
			// the table itself, and what tells of it
			.filter((name) => !/^(?:error-codes.*|management\/openapi.*)\.ts$/.test(name))
			.map((name) => readFileSync(join(root, folder, name), "utf8")),
	);
	const raised = new Set(files.flatMap((text) => text.match(/(?<=")ERR_[A-Z0-9_]+(?=")/g) ?? []));
	const own = [...raised].filter((code) => !INSIDE.test(code));
	expect(own.toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
});

it("has cause and remedy of every code, as whole sentences", () => {
	for (const [code, { cause, remedy }] of Object.entries(ERROR_CODES))
		for (const sentence of [cause, remedy])
			expect([code, sentence]).toEqual([code, expect.stringMatching(/^(?:[A-Z`…]|weir ).*\.$/s)]);
});
