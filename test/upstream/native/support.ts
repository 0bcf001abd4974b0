/** What the tests of the native upstream's parts share: memory as C++ fills it; a sink and an addon that record. */
import { addon } from "../../../src/native-addon.ts";
import type { CallPort } from "../../../src/upstream/native/call.ts";
import { RECORD_BYTES, Records } from "../../../src/upstream/native/records.ts";
import type { ResponseHead, WholeResponse } from "../../../src/upstream/response-head.ts";
import type { RequestBody, ResponseSink, UpstreamFailure } from "../../../src/upstream/upstream.ts";

/** Lets everything that was put off until the stack is empty happen. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class RecordingSink implements ResponseSink {
	readonly heard: string[] = [];
	/** what `onData` does and returns */
	take: (chunk: string) => boolean = () => true;

	onResponse(statusCode: number, head: ResponseHead, length: number): void {
		this.heard.push(`response ${statusCode} ${head.passed.split(":")[0]} ${length}`);
	}

	onData(chunk: Uint8Array): boolean {
		const text = Buffer.from(chunk).toString("latin1");
		this.heard.push(`data ${text}`);
		return this.take(text);
	}

	onEnd(): void {
		this.heard.push("end");
	}

	onWhole(statusCode: number, whole: WholeResponse, length: number): void {
		const text = Buffer.from(whole.body()).toString("latin1");
		this.heard.push(`whole ${statusCode} ${whole.passed.split(":")[0]} ${length} ${text}`);
	}

	onError(failure: UpstreamFailure, message: string): void {
		this.heard.push(`error ${failure} ${message}`);
	}
}

/** The calls that reach the native side, as text. */
export class RecordingPort implements CallPort {
	readonly called: string[] = [];
	/** what `write` returns */
	hasRoom = true;

	write(call: number, bytes: Uint8Array): boolean {
		this.called.push(`write ${call} ${Buffer.from(bytes).toString("latin1")}`);
		return this.hasRoom;
	}

	finish(call: number): void {
		this.called.push(`finish ${call}`);
	}

	pause(call: number): void {
		this.called.push(`pause ${call}`);
	}

	resume(call: number): void {
		this.called.push(`resume ${call}`);
	}

	abort(call: number): void {
		this.called.push(`abort ${call}`);
	}

	abortUpgraded(call: number): void {
		this.called.push(`abortUpgraded ${call}`);
	}
}

/** A body that is pushed by hand; what the upstream asks of it, as text. */
export class HandBody implements RequestBody {
	readonly length: number;
	readonly touched = false;
	readonly asked: string[] = [];
	sink: Parameters<RequestBody["start"]>[0] | undefined;

	constructor(length = -1) {
		this.length = length;
	}

	start(sink: Parameters<RequestBody["start"]>[0]): void {
		this.asked.push("start");
		this.sink = sink;
	}

	pause(): void {
		this.asked.push("pause");
	}

	resume(): void {
		this.asked.push("resume");
	}

	push(text: string): void {
		this.sink?.onChunk(Buffer.from(text, "latin1"));
	}

	end(): void {
		this.sink?.onEnd();
	}
}

/** As C++ lays a record out. */
const { word: WORD, lengthDouble } = addon.upstreamLayout;
type Word = keyof typeof WORD;
const WORDS = Object.entries(WORD) as readonly [Word, number][];

export type Fields = Partial<Record<Word | "length", number>>;

/** Memory of records and what they point to, and a writer of both. */
export function memory(bytes = new ArrayBuffer(4 * RECORD_BYTES), arena = new ArrayBuffer(8192)) {
	const view = new DataView(bytes);
	let used = 0;
	return {
		arena,
		records: new Records(bytes, arena),
		write(at: number, fields: Fields): void {
			const base = at * RECORD_BYTES;
			for (const [name, index] of WORDS) {
				view.setInt32(base + 4 * index, fields[name] ?? 0, true);
			}
			view.setFloat64(base + 8 * lengthDouble, fields.length ?? -1, true);
		},
		/** What C++ may do once a batch is over. */
		spoil(): void {
			new Uint8Array(bytes).fill(0x5a);
			new Uint8Array(arena).fill(0x5a);
			used = 0;
		},
		/** @returns the offset of the bytes */
		put(text: string): number {
			const at = used;
			used += Buffer.from(arena).write(text, at, "latin1");
			return at;
		},
	};
}
