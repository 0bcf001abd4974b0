import fc from "fast-check";
import { expect, test } from "vitest";
import { pointerTo, pointerTokens, positionAt } from "../../src/documents/json-position.ts";

test("a pointer's tokens are the path it was made of", () => {
	fc.assert(
		fc.property(fc.array(fc.string()), (path) => {
			expect(pointerTokens(pointerTo(path))).toEqual(path);
		}),
	);
});

test("line and column lead back to the offset", () => {
	const line = fc.stringMatching(/^[a-z]{0,5}$/);
	fc.assert(
		fc.property(
			fc.array(line, { minLength: 1 }),
			fc.constantFrom("\n", "\r\n", "\r"),
			(lines, end) => {
				const text = lines.join(end);
				let offset = 0;
				for (const [index, content] of lines.entries()) {
					expect(positionAt(text, offset)).toEqual({ line: index + 1, column: 1 });
					expect(positionAt(text, offset + content.length)).toEqual({
						line: index + 1,
						column: content.length + 1,
					});
					offset += content.length + end.length;
				}
			},
		),
	);
});
