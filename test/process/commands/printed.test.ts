/** What a command prints and nobody takes is a failure, unless the reader had enough. */
import { Writable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { Printed } from "../../../src/process/commands/printed.ts";

afterEach(() => vi.restoreAllMocks());

/** A stream that takes so many pieces. */
function streamOf(taken: number, code: string): Writable {
	let pieces = 0;
	return new Writable({
		decodeStrings: false,
		autoDestroy: false,
		write: (_chunk, _encoding, done) => {
			pieces += 1;
			done(pieces > taken ? Object.assign(new Error(`${code}: no`), { code }) : null);
		},
	});
}

it.each([
	[9, "ENOSPC", 0, 0],
	[9, "ENOSPC", 2, 2],
	[0, "ENOSPC", 0, 1],
	[1, "EIO", 0, 1],
	[0, "ENOSPC", 2, 2],
	[0, "EPIPE", 0, 0],
	[0, "EPIPE", 1, 1],
])("%i pieces, then %s, after %i: %i", async (taken, code, status, expected) => {
	const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
	const stream = streamOf(taken, code);
	const printed = new Printed(stream);
	stream.write("one");
	stream.write("two");
	expect(await printed.status(status)).toBe(expected);
	const isTold = taken < 2 && code !== "EPIPE";
	expect(said.mock.calls).toHaveLength(isTold ? 1 : 0);
	if (isTold) expect(said).toHaveBeenCalledWith(expect.stringContaining(`(${code})`));
});
