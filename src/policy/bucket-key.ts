/**
 * What tells the buckets of one rate-limit apart (contract 5, spec 2.5): the four forms that an element may
 * have, and the key that a request gets. `validate.ts` parses, `actions/rate-limit.ts` builds keys.
 */
import type { Attributes } from "../cel/attributes.ts";
import { fail, ok, type Result } from "../errors.ts";
import { isFieldName } from "../fields.ts";
import { nearest, quoted } from "../nearest.ts";
import type { KeyBuffer } from "./admission.ts";

export type KeyElement =
	| { readonly kind: "host" }
	| { readonly kind: "client_ip" }
	/** name in lower case */
	| { readonly kind: "header"; readonly name: string };

const HEADER_FORMS = /^(?:req\.headers\[(['"])(.*)\1\]|getReqHeader\((['"])(.*)\3\))$/s;

const FORMS = "req.host, conn.client_ip, req.headers['name'], getReqHeader('Name')";

/** Names that elements had in older documents. */
const TODAYS_ELEMENTS: Readonly<Record<string, string>> = {
	"conn.clientip": "conn.client_ip",
	"conn.ip": "conn.client_ip",
	"req.clientip": "conn.client_ip",
	"req.client_ip": "conn.client_ip",
	client_ip: "conn.client_ip",
	host: "req.host",
};

/** @returns the element, or a sentence that names the four forms */
export function parseKeyElement(text: string): Result<KeyElement, string> {
	if (text === "req.host") return ok({ kind: "host" });
	if (text === "conn.client_ip") return ok({ kind: "client_ip" });
	const match = HEADER_FORMS.exec(text);
	if (match === null) return fail(`unknown bucket_key element ${quoted(text)}${hint(text)}`);
	const name = match[2] ?? match[4] ?? "";
	const quote = match[1] ?? match[3] ?? "'";
	if (!isFieldName(name) || name.includes(quote)) {
		return fail(`${quoted(name)} is no header name`);
	}
	return ok({ kind: "header", name: name.toLowerCase() });
}

function hint(text: string): string {
	const lower = text.toLowerCase();
	const known = Object.hasOwn(TODAYS_ELEMENTS, lower) ? TODAYS_ELEMENTS[lower] : undefined;
	const old =
		/^req\.headers\[(['"])([^'"]*)\1\]$/i.exec(text) ??
		/^getreqheader\((['"])([^'"]*)\1\)$/i.exec(text);
	const meant =
		known ?? (old ? `req.headers['${old[2]}']` : nearest(text, ["req.host", "conn.client_ip"]));
	return meant === undefined ? `; valid: ${FORMS}` : `; did you mean "${meant}"? Valid: ${FORMS}`;
}

/** One spelling for each element: equal text means equal element. */
export function canonicalElement(element: KeyElement): string {
	switch (element.kind) {
		case "host":
			return "req.host";
		case "client_ip":
			return "conn.client_ip";
		case "header":
			return `req.headers['${element.name}']`;
	}
}

/**
 * Writes the key of one request. Hot. Injective over the values of the elements, whose number and kinds
 * are fixed by the configuration: every part carries its length, a header carries its number of lines, so
 * that an absent header, an empty one and several lines are different keys.
 * @returns its length in units
 */
export function writeKey(
	elements: readonly KeyElement[],
	attributes: Attributes,
	key: KeyBuffer,
): number {
	let end = 0;
	for (let index = 0; index < elements.length; index++) {
		const element = elements[index];
		if (element === undefined) continue;
		if (element.kind === "host") end = writePart(key, end, attributes.host);
		else if (element.kind === "client_ip") end = writePart(key, end, attributes.clientIp);
		else end = writeLines(key, end, attributes.requestHeaders.lines(element.name));
	}
	return end;
}

/** units of a number below 2^32 */
const NUMBER_UNITS = 2;

function writeNumber(units: Uint16Array, at: number, value: number): void {
	units[at] = value & 0xffff;
	units[at + 1] = value >>> 16;
}

/** @returns where the next part begins */
function writePart(key: KeyBuffer, at: number, value: string): number {
	const begin = at + NUMBER_UNITS;
	const end = begin + value.length;
	if (end > key.units.length) key.reserve(end);
	const { units } = key;
	writeNumber(units, at, value.length);
	// Faster than any encoder for the lengths that keys have, and right for lone surrogates.
	for (let index = 0; index < value.length; index++) units[begin + index] = value.charCodeAt(index);
	return end;
}

function writeLines(key: KeyBuffer, at: number, lines: readonly string[]): number {
	let end = at + NUMBER_UNITS;
	if (end > key.units.length) key.reserve(end);
	writeNumber(key.units, at, lines.length);
	for (let index = 0; index < lines.length; index++) end = writePart(key, end, lines[index] ?? "");
	return end;
}
