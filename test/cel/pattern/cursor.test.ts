/** A cursor moves over what it takes, and over nothing else. */
import { expect, test } from "vitest";
import { PatternCursor } from "../../../src/cel/pattern/cursor.ts";

test("it moves on by what is there", () => {
	const cursor = new PatternCursor("(?i)😀x");
	expect(cursor.take("(?:")).toBe(false);
	expect(cursor.match(/\(\?([a-z]+)\)/y)?.[1]).toBe("i");
	expect(cursor.match(/x/y)).toBe(undefined);
	expect(cursor.next()).toBe(0x1f600);
	expect(cursor.at("x")).toBe(true);
	expect(cursor.take("x")).toBe(true);
	expect(cursor.atEnd).toBe(true);
});
