/**
 * Lists and maps as JSON, for templates (contract 5). Written piece by piece, so that its length is
 * bounded before it is made: a list may hold the same text many times. Called by `text.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { Overrun } from "../expression.ts";
import { doubleText, scalarText } from "./scalar-text.ts";
import { isList } from "./types.ts";
import { Optional, Uint, type Value, ValueMap } from "./value.ts";

/** Nanoseconds for a value, for one that is no number, text or bool, and for a character to be escaped. */
const ELEMENT_NS = 300;
const OTHER_NS = 1200;
const CHARACTER_NS = 10;

/**
 * Integers that JSON readers would round and doubles that JSON does not know are texts, bytes are base64,
 * an optional is the value in it or null. Entries stand in the map's order.
 * @throws Overrun for values that are nested too deeply or too long, OutOfBudget
 */
export function jsonOf(value: Value): string {
	const writer = new Writer();
	writer.value(value, 0);
	return writer.text;
}

class Writer {
	text = "";

	value(value: Value, depth: number): void {
		charge(ELEMENT_NS);
		if (depth > LIMITS.jsonDepth) throw new Overrun("a value nested too deeply for JSON");
		if (isList(value)) this.#list(value, depth);
		else if (value instanceof ValueMap) this.#map(value, depth);
		else if (value instanceof Optional) this.value(value.value ?? null, depth);
		else this.#scalar(value);
	}

	#list(list: readonly Value[], depth: number): void {
		let separator = "[";
		for (const element of list) {
			this.#add(separator);
			this.value(element, depth + 1);
			separator = ",";
		}
		this.#add(list.length === 0 ? "[]" : "]");
	}

	#map(map: ValueMap, depth: number): void {
		const keys = map.keys();
		let separator = "{";
		for (const key of keys) {
			this.#add(separator);
			this.#quoted(scalarText(key));
			this.#add(":");
			this.value(map.get(key) ?? null, depth + 1);
			separator = ",";
		}
		this.#add(keys.length === 0 ? "{}" : "}");
	}

	#scalar(value: Value): void {
		if (typeof value === "string") this.#quoted(value);
		else if (value === null || typeof value === "boolean") this.#add(String(value));
		else if (typeof value === "number") this.#double(value);
		else if (typeof value === "bigint") this.#integer(value);
		else if (value instanceof Uint) this.#integer(value.value);
		else if (value instanceof Uint8Array) this.#bytes(value);
		else {
			charge(OTHER_NS);
			this.#quoted(scalarText(value));
		}
	}

	#double(value: number): void {
		if (Number.isFinite(value)) this.#add(JSON.stringify(value));
		else this.#quoted(doubleText(value));
	}

	#integer(value: bigint): void {
		if (Number.isSafeInteger(Number(value))) this.#add(String(value));
		else this.#quoted(String(value));
	}

	#bytes(value: Uint8Array): void {
		charge(value.length * CHARACTER_NS);
		this.#bound(value.length);
		this.#quoted(Buffer.from(value).toString("base64"));
	}

	#quoted(text: string): void {
		charge(text.length * CHARACTER_NS);
		this.#bound(text.length);
		this.#add(JSON.stringify(text));
	}

	#add(text: string): void {
		this.#bound(text.length);
		this.text += text;
	}

	#bound(added: number): void {
		if (this.text.length + added > LIMITS.evaluationTextCharacters) {
			throw new Overrun(`a text of more than ${LIMITS.evaluationTextCharacters} characters`);
		}
	}
}
