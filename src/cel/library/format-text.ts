/**
 * Values as `%s` of `format` writes them (strings extension of CEL, "Conversion"): not as `string()` and
 * templates do, which know no lists, refuse bytes that are no text, and write numbers with exponents.
 * Called by `format.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { boundedText } from "../values/concatenation.ts";
import { durationText } from "../values/duration.ts";
import { compareText } from "../values/order.ts";
import { timestampText } from "../values/timestamp.ts";
import { isList, typeOf } from "../values/types.ts";
import { Duration, Timestamp, TypeValue, Uint, type Value, ValueMap } from "../values/value.ts";
import { shortestText } from "./format-numbers.ts";

/** Nanoseconds for a list, and for an element of it, its own text aside. */
const LIST_NS = 200;
const ELEMENT_NS = 80;
/** Nanoseconds for an entry of a map, and for each doubling of their number, since keys are sorted. */
const ENTRY_NS = 500;
const DOUBLING_NS = 120;
/** Nanoseconds for a byte where bytes are no text. */
const BYTE_NS = 10;

/** @throws EvaluationFailure for an optional, and for what would be too long */
export function formattedText(value: Value): string {
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "bigint") return shortestText(value);
	if (typeof value === "boolean" || value === null) return String(value);
	if (isList(value)) return listText(value);
	if (value instanceof ValueMap) return mapText(value);
	if (value instanceof Uint8Array) return lenientText(value);
	if (value instanceof Uint) return String(value.value);
	if (value instanceof TypeValue) return value.name;
	if (value instanceof Timestamp) return timestampText(value);
	if (value instanceof Duration) return durationText(value);
	throw new EvaluationFailure(`format: %s takes no ${typeOf(value).name}`);
}

function listText(list: readonly Value[]): string {
	charge(LIST_NS + list.length * ELEMENT_NS);
	const texts: string[] = [];
	let length = 0;
	for (const element of list) {
		const text = formattedText(element);
		length += text.length + SEPARATOR.length;
		checkLength(length);
		texts.push(text);
	}
	return `[${texts.join(SEPARATOR)}]`;
}

/** Sorted by the texts of the keys. */
function mapText(map: ValueMap): string {
	charge(LIST_NS + map.size * (ENTRY_NS + DOUBLING_NS * Math.log2(map.size + 1)));
	const entries: [key: string, text: string][] = [];
	let length = 0;
	for (const key of map.keys()) {
		const value = map.get(key);
		if (value === undefined) throw new Error("a map without one of its keys");
		const keyText = formattedText(key);
		const text = `${keyText}: ${formattedText(value)}`;
		length += text.length + SEPARATOR.length;
		checkLength(length);
		entries.push([keyText, text]);
	}
	entries.sort(([a], [b]) => compareText(a, b));
	return `{${entries.map(([, text]) => text).join(SEPARATOR)}}`;
}

const SEPARATOR = ", ";

/** While a text grows, so that lists of lists of one list don't first become a text of gigabytes. */
function checkLength(length: number): void {
	if (length > LIMITS.evaluationTextCharacters) boundedText(length);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });
/** U+FFFD itself, as bytes in Latin-1 */
const REPLACEMENT_BYTES = "\u00ef\u00bf\u00bd";

/** Every run of bytes that are no UTF-8 becomes one U+FFFD. */
function lenientText(bytes: Uint8Array): string {
	boundedText(bytes.length);
	try {
		return strictUtf8.decode(bytes);
	} catch {
		charge(bytes.length * BYTE_NS);
		const pieces = Buffer.from(bytes).toString("latin1").split(REPLACEMENT_BYTES);
		return pieces
			.map((piece) =>
				lenientUtf8.decode(Buffer.from(piece, "latin1")).replace(/\ufffd+/g, "\ufffd"),
			)
			.join("\ufffd");
	}
}
