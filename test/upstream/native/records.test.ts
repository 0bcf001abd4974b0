/** What is read of the shared memory: every field from where native/src/upstream/record.h puts it, and nothing of a batch that is over. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIND } from "../../../src/upstream/native/records.ts";
import { RawResponseHead } from "../../../src/upstream/response-head.ts";
import { memory } from "./support.ts";

/** A memory whose record 0 is a response with this head. */
function response(passed: string, lines: string, ascii = true) {
	const made = memory();
	made.put("before");
	const passedOffset = made.put(passed);
	const textOffset = made.put(lines);
	made.write(0, {
		kind: KIND.whole,
		flags: ascii ? 1 : 0,
		passedOffset,
		passedLength: passed.length,
		textOffset,
		textLength: lines.length,
	});
	return made.records;
}

describe("a record", () => {
	it("is read from its place, field by field", () => {
		const any = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
		const fields = fc.record({
			at: fc.nat(3),
			kind: any,
			call: any,
			code: any,
			address: any,
			backend: any,
			length: fc.oneof(fc.constant(-1), fc.nat(), fc.constant(2 ** 53 - 1)),
		});
		fc.assert(
			fc.property(fields, ({ at, ...wanted }) => {
				const { records, write } = memory();
				write(at, wanted);
				expect(records.kind(at)).toBe(wanted.kind);
				expect(records.call(at)).toBe(wanted.call);
				expect(records.statusCode(at)).toBe(wanted.code);
				expect(records.address(at)).toBe(wanted.address);
				expect(records.backend(at)).toBe(wanted.backend);
				expect(records.length(at)).toBe(wanted.length);
			}),
		);
	});

	it("says what failed and why", () => {
		const { records, write, put } = memory();
		const texts = ["no connection", "br\xc3\xb6ken", "", "queue"];
		for (const [at, text] of texts.entries()) {
			write(at, {
				kind: KIND.failed,
				code: at + 1,
				textOffset: put(text),
				textLength: text.length,
			});
		}
		expect(texts.map((_, at) => records.failure(at))).toEqual([
			...["connect", "broken", "timeout", "queue_full"],
		]);
		expect(texts.map((_, at) => records.text(at))).toEqual([
			...["no connection", "bröken", "", "queue"],
		]);
	});

	it("has a body in the memory itself", () => {
		const { records, write, put, arena } = memory();
		put("before");
		write(1, { kind: KIND.data, bodyOffset: put("hello"), bodyLength: 5 });
		const body = records.body(1);
		expect(Buffer.from(body).toString()).toBe("hello");
		expect(body.buffer).toBe(arena);
		write(1, { kind: KIND.data, bodyOffset: 3, bodyLength: 0 });
		expect(records.body(1).byteLength).toBe(0);
	});
});

describe("a head", () => {
	it("is divided behind the first name", () => {
		const head = response("X-A: 1\r\nb: t\xe9", "", false).response(0);
		expect([head.passed, head.ascii]).toEqual(["X-A: 1\r\nb: t\xe9", false]);
		const empty = response("", "").response(0);
		expect([empty.passed, empty.ascii]).toEqual(["", true]);
	});

	it("reads all lines as the head made from raw lines does", () => {
		const token = fc.constantFrom("A", "b", "-", "x1");
		const name = fc.array(token, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
		const byte = fc.oneof(
			fc.integer({ min: 0x21, max: 0x7e }),
			fc.integer({ min: 0x80, max: 0xff }),
		);
		const word = fc
			.array(byte, { minLength: 1, maxLength: 8 })
			.map((bytes) => String.fromCharCode(...bytes));
		const value = fc.array(word, { maxLength: 3 }).map((words) => words.join(" \t"));
		const space = fc.constantFrom("", " ", "\t", "  ");
		const line = fc.tuple(name, space, value, space);
		fc.assert(
			fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
				const text = lines.map((parts) => {
					const [lineName, before, lineValue, after] = parts;
					return `${lineName}:${before}${lineValue}${after}\r\n`;
				});
				const raw = lines.flatMap(([lineName, , lineValue]) =>
					[lineName, lineValue].map((part) => Buffer.from(part, "latin1")),
				);
				const head = response("", text.join("")).response(0);
				expect(head.lines()).toEqual(RawResponseHead.from(raw)?.lines());
			}),
		);
	});

	it("tells the sizes of lines and body, and hands the body over where it is", () => {
		const { records, write, put, arena } = memory();
		const passed = { passedOffset: put("x: 1"), passedLength: 4 };
		write(2, { kind: KIND.whole, ...passed, bodyOffset: put("hello"), bodyLength: 5 });
		const whole = records.response(2);
		expect([whole.record, whole.passedBytes, whole.bodyBytes]).toEqual([2, 4, 5]);
		expect(Buffer.from(whole.body()).toString()).toBe("hello");
		expect(whole.body().buffer).toBe(arena);
	});

	it.each([...["passed", "ascii", "passedBytes", "bodyBytes"], ...["lines", "body"]] as const)(
		"refuses to read %s of a batch that is over, instead of others' bytes",
		(name) => {
			const records = response("a: b", "a: b\r\n");
			const head = records.response(0);
			const read = (): unknown => (name === "lines" || name === "body" ? head[name]() : head[name]);
			expect(read).not.toThrow();
			records.batch += 1;
			expect(read).toThrow(/only while/);
		},
	);
});
