/** `base64`, `hash`, `json` and `rand` (contract 4, "Functions"). Called by `environment.ts`. */
import { createHash } from "node:crypto";
import { type CelFunc, type CelInput, CelScalar, celFunc, celList, celMap } from "@bufbuild/cel";
import { LIMITS } from "../../../../src/limits/limits.ts";
import { bounded } from "./characters.ts";

const { STRING, INT, DOUBLE, BYTES, DYN } = CelScalar;

function base64Encode(value: string | Uint8Array): string {
	const bytes = typeof value === "string" ? Buffer.from(value) : value;
	bounded(bytes.length * 1.4);
	return Buffer.from(bytes).toString("base64");
}

/** The standard alphabet, with or without padding; throws on anything else. */
function base64Decode(text: string): Uint8Array {
	const unpadded = text.replace(/={1,2}$/, "");
	const isPadded = unpadded.length < text.length;
	if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1) {
		throw new Error("not the text of base64");
	}
	if (isPadded && text.length % 4 !== 0) throw new Error("not the text of base64: wrong padding");
	return new Uint8Array(Buffer.from(unpadded, "base64"));
}

const sha256 = (value: string | Uint8Array): string =>
	createHash("sha256").update(value).digest("hex");

/** Numbers become doubles, as JSON has no other. */
function jsonDecode(text: string): CelInput {
	bounded(text.length);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Error("not the text of a JSON value");
	}
	return celFromJson(value, 0);
}

function celFromJson(value: unknown, depth: number): CelInput {
	if (depth > LIMITS.jsonDepth) throw new Error(`JSON nested deeper than ${LIMITS.jsonDepth}`);
	if (value === null || typeof value === "string" || typeof value === "boolean") return value;
	if (typeof value === "number") return value;
	if (Array.isArray(value)) return celList(value.map((element) => celFromJson(element, depth + 1)));
	const entries = new Map<string, CelInput>();
	for (const [key, member] of Object.entries(value as object)) {
		entries.set(key, celFromJson(member, depth + 1));
	}
	return celMap(entries);
}

/** Both ends included. */
function randomInt(min: bigint, max: bigint): bigint {
	if (min > max) throw new Error(`rand.int: ${min} is above ${max}`);
	const range = max - min + 1n;
	// 53 bits of chance, twice: enough for every range of 64 bits
	const high = BigInt(Math.floor(Math.random() * 2 ** 53));
	const low = BigInt(Math.floor(Math.random() * 2 ** 53));
	return min + ((((high << 53n) | low) * range) >> 106n);
}

export const ENCODINGS: readonly CelFunc[] = [
	celFunc("base64.encode", [STRING], STRING, base64Encode),
	celFunc("base64.encode", [BYTES], STRING, base64Encode),
	celFunc("base64.decode", [STRING], BYTES, base64Decode),
	celFunc("hash.sha256", [STRING], STRING, sha256),
	celFunc("hash.sha256", [BYTES], STRING, sha256),
	celFunc("json.decode", [STRING], DYN, jsonDecode),
	celFunc("rand.double", [], DOUBLE, () => Math.random()),
	celFunc("rand.int", [INT, INT], INT, randomInt),
];
