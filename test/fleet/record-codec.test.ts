/** A record is the same again after it has travelled; what is none is void for every member, and what is newer says so. */
import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LEVEL } from "../../src/fleet/level.ts";
import type { FleetRecord, Operation } from "../../src/fleet/record.ts";
import { decodeRecord, encodeRecord } from "../../src/fleet/record-codec.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { encode } from "../../src/store/layout.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { naming } from "./databases.ts";

const stored = (document: unknown): string => encode(document).value;

const recordOf = (operations: readonly Operation[]): FleetRecord => ({
	id: randomBytes(16).toString("base64url"),
	base: 41,
	before: "0".repeat(32),
	after: randomBytes(16).toString("hex"),
	level: 1,
	by: "m_0123456789abcdef",
	isAwaited: false,
	at: "2026-11-22T08:00:00.000Z",
	operations,
});

const key = { id: "key_1", description: "é", hash: "limited:0", createdAt: "2026-01-01T00:00:00Z" };
const sound: readonly Operation[] = [
	["delete-range", "p/site/"],
	["delete-range", "r/site/"],
	["delete", "e/site"],
	["put", "e/other", stored(edgeOf("a.example", "*.example:81"))],
	["put", "r/other/1", stored(routeOf("/x"))],
	["put", "p/other/1", stored(naming("one", "!two"))],
	["put", "p/other/2", stored(policyOf('"\u2028\n'))],
	["put", "l/one", stored({ description: "", count: 1, entries: '"x"' })],
	["put", "x/one", stored("10.0.0.0/8")],
	["put", "k/key_1", stored(key)],
];

describe("a sound record", () => {
	it.each([
		["with operations of each kind", recordOf(sound)],
		["of a key, and awaited", { ...recordOf([]), key: "key_abc", isAwaited: true }],
		["that is large", recordOf([["put", "x/l", stored("10.0.0.0/8 ".repeat(10_000))]])],
	])("%s", (_, record) => {
		const encoded = encodeRecord(record);
		expect(decodeRecord(encoded)).toEqual(record);
		const isLarge = JSON.stringify(record).length > 2 * LIMITS.fleetDeflateBytes;
		expect(encoded.headers["weir-encoding"]).toBe(isLarge ? "deflate-raw" : "identity");
		if (isLarge) expect(encoded.body.length).toBeLessThan(10_000);
	});
});

const deep = JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`) as unknown;

describe("operations that make a record void", () => {
	it.each<[string, unknown]>([
		["no list", "put"],
		["of no kind", ["move", "e/a", "e/b"]],
		["with too much", ["delete", "e/a", "b"]],
		["with too little", ["put", "e/a"]],
		["on what follows from documents", ["delete", "h/a.example"]],
		["on what is a machine's own", ["put", "u/key_1", stored("x")]],
		["on the position", ["put", "!fleet", stored({})]],
		["on a kind that is not known", ["delete", "z/a"]],
		["on too few ids", ["delete", "r/a"]],
		["on too many ids", ["delete", "e/a/b"]],
		["on an empty id", ["delete", "r//b"]],
		["on an id with other characters", ["delete", "e/a b"]],
		["on an id that is too long", ["delete", `e/${"x".repeat(129)}`]],
		["on a range of more than an edge", ["delete-range", "p/"]],
		["on a range that is a key", ["delete-range", "p/a/b/"]],
		["on a range of edges", ["delete-range", "e/a/"]],
		["whose digest does not fit", ["put", "p/a/b", `${stored({}).slice(0, 22)}{"a":1}`]],
		["whose value is short", ["put", "p/a/b", "{}"]],
		["whose value is no JSON", ["put", "p/a/b", stored({}).replace("{}", "{")]],
		["whose value is nested too deep", ["put", "p/a/b", stored(deep)]],
		["with half a character", ["put", "x/a", stored("\ud800").replace("\\ud800", "\ud800")]],
		["an edge without hostports", ["put", "e/a", stored({})]],
		["an edge whose hostports are none", ["put", "e/a", stored({ hostports: [7] })]],
		["an edge with a hostport that is too long", ["put", "e/a", stored(edgeOf("x".repeat(2000)))]],
		["a route without a match", ["put", "r/a/b", stored({})]],
		["a policy that is none", ["put", "p/a/b", stored({ inbound: [{ type: "restrict-ips" }] })]],
		["a policy that is a list", ["put", "p/a/b", stored(null)]],
		["a list without entries", ["put", "l/a", stored({ description: "", count: 1 })]],
		["entries that are none", ["put", "x/a", stored(["10.0.0.0/8"])]],
		["a key without a hash", ["put", "k/key_1", stored({ ...key, hash: undefined })]],
	])("%s", (_, operation) => {
		expect(decodeRecord(encodeRecord(recordOf([operation as Operation])))).toBeUndefined();
	});
});

describe("what makes a record void", () => {
	const { headers, body } = encodeRecord(recordOf(sound));
	const large = encodeRecord(recordOf([["put", "x/l", stored("10.0.0.0/8 ".repeat(10_000))]]));
	const bomb = deflateRawSync(Buffer.alloc(LIMITS.fleetRecordInflatedBytes + 1, " "));
	it.each<[string, Record<string, string | undefined>, Uint8Array]>([
		["no headers", { "weir-format": undefined }, body],
		["a format that was never", { "weir-format": "0" }, body],
		["no id", { "weir-id": "" }, body],
		["a base that is no number", { "weir-base": "-1" }, body],
		["a digest that is short", { "weir-before": "00" }, body],
		["a digest in capitals", { "weir-after": "F".repeat(32) }, body],
		["no level", { "weir-level": "0" }, body],
		["a word for awaited that nobody knows", { "weir-ack": "later" }, body],
		["an encoding that nobody knows", { "weir-encoding": "br" }, body],
		["the other encoding", { "weir-encoding": "deflate-raw" }, body],
		["a body that is cut", {}, body.subarray(0, -1)],
		["a deflated body that is cut", { "weir-encoding": "deflate-raw" }, large.body.subarray(0, -9)],
		["a body that is too large", {}, Buffer.alloc(LIMITS.fleetRecordBytes + 1, " ")],
		["a body that inflates to too much", { "weir-encoding": "deflate-raw" }, bomb],
		["no operations", {}, Buffer.from('{"at":"2026-01-01T00:00:00Z"}')],
		["no time", {}, Buffer.from('{"ops":[]}')],
		["a time that is none", {}, Buffer.from('{"at":"<b>","ops":[]}')],
		["a body that is not UTF-8", {}, Buffer.from('{"at":"2026","ops":[],"x":"\xff"}', "latin1")],
	])("%s", (_, others, bytes) => {
		const all = Object.entries({ ...headers, ...others }).filter(
			([, value]) => value !== undefined,
		);
		const given = Object.fromEntries(all) as Record<string, string>;
		expect(decodeRecord({ headers: given, body: bytes })).toBeUndefined();
	});
});

describe("a record of a newer build says so, and is not looked at", () => {
	const { headers } = encodeRecord(recordOf([]));
	const body = Buffer.from("in another language");
	it("by its level", () => {
		const level = LEVEL + 1;
		const record = decodeRecord({ headers: { ...headers, "weir-level": String(level) }, body });
		expect(record).toMatchObject({ level, operations: [], base: 41 });
	});
	it("by its format", () => {
		const record = decodeRecord({ headers: { ...headers, "weir-format": "2" }, body });
		expect(record).toMatchObject({ base: 41, before: "0".repeat(32), operations: [] });
		expect(decodeRecord({ headers: { "weir-format": "2" }, body })).toMatchObject({ id: "" });
		expect(record?.level).toBeGreaterThan(LEVEL);
	});
});
