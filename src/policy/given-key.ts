/**
 * The key of a bucket as a caller of the management API writes it, one text for each element in canonical order: the
 * value itself, or `json:` and a JSON value where that can't say it (`json:null` an absent field, `json:["a","b"]` several
 * lines, numbers and lists of expressions). Gives the same parts as a request with these values.
 */
import { mapFromStrings } from "../cel/values/entry-map.ts";
import { Uint, type Value } from "../cel/values/value.ts";
import { quoted } from "../documents/nearest.ts";
import { fail, ok, type Result } from "../errors.ts";
import { addressText, parseAddress } from "../http/ip-address.ts";
import type { KeyElement } from "./actions/rate-limit/bucket-key.ts";
import { canonicalElement } from "./actions/rate-limit/bucket-key.ts";
import { countedAddress } from "./actions/rate-limit/counted-address.ts";
import { typedPart } from "./actions/rate-limit/typed-part.ts";
import type { KeyPart } from "./admission.ts";
import { isJson } from "./document/members.ts";
import type { JsonValue } from "./exchange.ts";

const JSON_MARK = "json:";
const JSON_DEPTH = 32;

/** @param ipv6Prefix how many bits of an IPv6 address count @returns the parts, or a sentence */
export function givenKey(
	texts: readonly string[],
	elements: readonly KeyElement[],
	ipv6Prefix: number,
): Result<readonly KeyPart[], string> {
	if (texts.length !== elements.length) {
		const names = elements.map(canonicalElement).join(", ");
		const all = elements.length === 0 ? "none: it has one bucket for all" : names;
		return fail(
			`the key of this limit has ${elements.length} elements, ${all}; ${texts.length} are given`,
		);
	}
	const parts: KeyPart[] = [];
	for (const [index, element] of elements.entries()) {
		const part = partOf(texts[index] ?? "", element, ipv6Prefix);
		if (!part.ok) return fail(`${canonicalElement(element)}: ${part.error}`);
		parts.push(part.value);
	}
	return ok(parts);
}

function partOf(text: string, element: KeyElement, ipv6Prefix: number): Result<KeyPart, string> {
	const isMarked = text.startsWith(JSON_MARK);
	const json = isMarked ? jsonOf(text.slice(JSON_MARK.length)) : ok(text);
	if (!json.ok) return json;
	const given = json.value;
	switch (element.kind) {
		case "host":
			return typeof given === "string" ? ok(given) : fail("is a text");
		case "client_ip": {
			const address = typeof given === "string" ? parseAddress(given) : undefined;
			if (address === undefined) return fail(`${quoted(text)} is no IP address`);
			return ok(countedAddress(addressText(address), ipv6Prefix));
		}
		case "header":
			return headerPart(given);
		case "expression": {
			const { type = "dyn" } = element.value;
			const value = typedValue(
				isMarked || type === "string" || type === "dyn" ? given : scalar(text),
				type,
			);
			const part = value === undefined ? undefined : typedPart(value);
			return part === undefined ? fail(`${quoted(text)} is no ${type}`) : ok(part);
		}
	}
}

function headerPart(given: JsonValue): Result<KeyPart, string> {
	if (typeof given === "string") return ok(given);
	if (given === null) return ok(undefined);
	const lines = Array.isArray(given) ? given : [];
	const texts = lines.filter((line): line is string => typeof line === "string");
	if (texts.length < 2 || texts.length !== lines.length) {
		return fail("is a text, json:null for no such field, or a JSON list of two lines or more");
	}
	return ok(texts);
}

function jsonOf(text: string): Result<JsonValue, string> {
	try {
		const value: unknown = JSON.parse(text);
		if (isJson(value, JSON_DEPTH)) return ok(value);
	} catch {
		// said below
	}
	return fail(`what follows "${JSON_MARK}" is no JSON`);
}

/** `42`, `true`, `1.5` without the mark, where the expression's type says what is meant. */
function scalar(text: string): JsonValue {
	const parsed = jsonOf(text);
	return parsed.ok ? parsed.value : text;
}

/** Undefined for what this type can't have. Numbers are of the type that the expression's names. */
function typedValue(json: JsonValue, type: string): Value | undefined {
	if (json === null) return undefined;
	if (typeof json === "number") return numberOf(json, type);
	if (typeof json === "string") return /string|dyn/.test(type) ? json : undefined;
	if (typeof json === "boolean") return /bool|dyn/.test(type) ? json : undefined;
	if (isList(json)) {
		if (!/list|dyn/.test(type)) return undefined;
		const values = json.map((each) => typedValue(each, type));
		const known = values.filter((value): value is Value => value !== undefined);
		return known.length === values.length ? known : undefined;
	}
	if (!/map|dyn/.test(type)) return undefined;
	const entries = new Map<string, Value>();
	for (const [name, each] of Object.entries(json)) {
		const value = typedValue(each, type);
		if (value === undefined) return undefined;
		entries.set(name, value);
	}
	return mapFromStrings(entries);
}

const isList = (json: JsonValue): json is readonly JsonValue[] => Array.isArray(json);

function numberOf(json: number, type: string): Value | undefined {
	if (/double/.test(type)) return json;
	if (!Number.isSafeInteger(json)) return /dyn/.test(type) ? json : undefined;
	if (/uint/.test(type)) return json < 0 ? undefined : new Uint(BigInt(json));
	return /int|dyn/.test(type) ? BigInt(json) : undefined;
}
