/** What a field name and a field value may be (RFC 9110 5.1, 5.5), character by character. */
import { expect, it } from "vitest";
import {
	FRAMING,
	HOP_BY_HOP,
	isFieldName,
	isFieldValue,
	namedInConnection,
} from "../../src/http/fields.ts";

const TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

it("names are tokens of one character or more", () => {
	for (let code = 0; code < 256; code++) {
		const character = String.fromCharCode(code);
		expect([code, isFieldName(`x${character}`)]).toEqual([code, TOKEN.includes(character)]);
	}
	expect(isFieldName("")).toBe(false);
});

it("values hold no control character but tab", () => {
	for (let code = 0; code < 256; code++) {
		const isControl = (code < 32 && code !== 9) || code === 127;
		expect([code, isFieldValue(`a${String.fromCharCode(code)}b`)]).toEqual([code, !isControl]);
	}
	expect(isFieldValue("")).toBe(true);
});

it("the sets are of lower-case names", () => {
	for (const name of [...HOP_BY_HOP, ...FRAMING]) expect(name).toBe(name.toLowerCase());
});

it.each<[string[], string[] | undefined]>([
	[[], undefined],
	[["keep-alive"], undefined],
	[["close"], undefined],
	[["X-One, x-two"], ["x-one", "x-two"]],
	[
		["keep-alive, X-One", "x-two"],
		["keep-alive", "x-one", "x-two"],
	],
	[["host, x"], ["x"]],
])("connection: %j names %j", (lines, names) => {
	const named = namedInConnection(lines);
	expect(named === undefined ? undefined : [...named]).toEqual(names);
});
