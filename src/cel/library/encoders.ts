/** `base64`, `hash` and `json` (contract 4, "Functions"). Joined by `table.ts`. */
import { createHash } from "node:crypto";
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { decoded } from "../cost/estimates.ts";
import { EvaluationFailure, Overrun } from "../expression.ts";
import { boundedText } from "../values/concatenation.ts";
import { mapFromStrings } from "../values/entry-map.ts";
import type { Value } from "../values/value.ts";
import { wellFormed } from "./characters.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

/** Nanoseconds for a byte. */
const BASE64_NS = 3;
const HASH_NS = 3;
/** Nanoseconds to start a hash. */
const HASH_START_NS = 2000;
/** Nanoseconds for a character of JSON, for a value in it, and for an entry of an object. */
const JSON_NS = 5;
const JSON_VALUE_NS = 80;
const JSON_ENTRY_NS = 450;
/** Nanoseconds that the platform takes to say that a text is no JSON (measured: 6100). */
const JSON_ERROR_NS = 6000;
/** An entry has six characters at least: `"a":1,` */
const JSON_COST_NS = JSON_NS + (JSON_VALUE_NS + JSON_ENTRY_NS) / 6;

function base64Encode(value: string | Uint8Array): string {
	const bytes = typeof value === "string" ? Buffer.from(value) : value;
	boundedText(Math.ceil(bytes.length / 3) * 4);
	charge(bytes.length * BASE64_NS);
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** The standard alphabet, with or without padding. */
function base64Decode(text: string): Uint8Array {
	charge(text.length * BASE64_NS);
	const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
	const unpadded = text.slice(0, text.length - padding);
	if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1) {
		throw new EvaluationFailure("not the text of base64");
	}
	if (padding > 0 && text.length % 4 !== 0) {
		throw new EvaluationFailure("not the text of base64: wrong padding");
	}
	return new Uint8Array(Buffer.from(unpadded, "base64"));
}

function sha256(value: string | Uint8Array): string {
	charge(HASH_START_NS + value.length * HASH_NS);
	return createHash("sha256").update(value).digest("hex");
}

/** Numbers become doubles, as JSON has no other. */
function jsonDecode(text: string): Value {
	boundedText(text.length);
	charge(text.length * JSON_NS);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		charge(JSON_ERROR_NS);
		throw new EvaluationFailure("not the text of a JSON value");
	}
	return fromJson(value, 0);
}

function fromJson(value: unknown, depth: number): Value {
	charge(JSON_VALUE_NS);
	if (depth > LIMITS.jsonDepth) {
		throw new Overrun(`JSON nested deeper than ${LIMITS.jsonDepth}`);
	}
	if (typeof value === "string") return wellFormed(value);
	if (value === null || typeof value === "boolean" || typeof value === "number") return value;
	if (Array.isArray(value)) return value.map((element) => fromJson(element, depth + 1));
	const entries = new Map<string, Value>();
	const members = Object.entries(Object(value));
	charge(members.length * JSON_ENTRY_NS);
	for (const [key, member] of members) {
		entries.set(wellFormed(key), fromJson(member, depth + 1));
	}
	return mapFromStrings(entries);
}

const encoding = (bytesEach: number): Implementation => ({
	call: base64Encode,
	fails: true,
	cost: (size = 0) => 300 + 2 * BASE64_NS * bytesEach * size,
	resultSize: (size = 0) =>
		Math.min(Math.ceil((bytesEach * size) / 3) * 4, LIMITS.evaluationTextCharacters),
});
const HASH: Implementation = {
	call: sha256,
	fails: false,
	base: HASH_START_NS,
	cost: (size = 0) => 2 * HASH_START_NS + 3 * HASH_NS * size,
	resultSize: () => 64,
};

export const ENCODERS: readonly FunctionDefinition[] = [
	{
		name: "base64.encode",
		doc: "The standard base64 of bytes, or of a text in UTF-8.",
		examples: [["base64.encode('shop')", "'c2hvcA=='"]],
		overloads: {
			"base64.encode(bytes) -> string": encoding(1),
			// a unit of text has up to three bytes
			"base64.encode(string) -> string": encoding(3),
		},
	},
	{
		name: "base64.decode",
		doc: "The bytes that a base64 text stands for, with or without padding. Fails for other texts.",
		examples: [["string(base64.decode('c2hvcA'))", "'shop'"]],
		overloads: {
			"base64.decode(string) -> bytes": {
				call: base64Decode,
				fails: true,
				cost: (text = 0) => 500 + 2 * BASE64_NS * text,
				resultSize: (text = 0) => Math.ceil((text * 3) / 4),
			},
		},
	},
	{
		name: "hash.sha256",
		doc: "The SHA-256 of a text in UTF-8, or of bytes, in lower-case hexadecimal.",
		examples: [
			["hash.sha256('shop')", "'8d9001d32c6a703d95921a77115050f33dd823d3f1730bd35215dcbecad6dc20'"],
		],
		overloads: { "hash.sha256(string) -> string": HASH, "hash.sha256(bytes) -> string": HASH },
	},
	{
		name: "json.decode",
		doc: "The value that a JSON text stands for; its numbers are doubles. Fails for other texts. The type is known when evaluated only.",
		examples: [['json.decode(\'{"plan": "pro"}\').plan', "'pro'"]],
		overloads: {
			"json.decode(string) -> dyn": {
				call: jsonDecode,
				fails: true,
				base: 1000,
				cost: (text = 0) => 1000 + JSON_ERROR_NS + 1.2 * JSON_COST_NS * text,
				// `[1,2]`: a value for every two characters
				resultSize: (text = 0) => text,
			},
		},
		estimate: decoded,
	},
];
