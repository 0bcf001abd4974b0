/**
 * The exchange's side of an upstream, for tests: sends a request, records what its sink hears, and checks
 * the order of calls that the interface promises.
 */
import { afterEach } from "vitest";
import type {
	RequestBody,
	Upstream,
	UpstreamCall,
	UpstreamFactory,
	UpstreamFailure,
	UpstreamOptions,
	UpstreamRequest,
} from "../../src/upstream/upstream.ts";
import { type Script, ScriptedUpstream } from "./scripted-upstream.ts";

export interface Answer {
	readonly statusCode: number | undefined;
	readonly headers: readonly (readonly [string, string])[];
	readonly length: number | undefined;
	readonly body: Buffer;
	/** undefined if it ended well */
	readonly failure: UpstreamFailure | undefined;
	readonly message: string;
}

export interface ProbeOptions {
	/** called for each chunk; false pushes back */
	readonly onData?: (chunk: Uint8Array) => boolean;
	readonly onResponse?: () => void;
	/** false: chunks are counted, not kept */
	readonly keep?: boolean;
}

/** One request under way. */
export class Probe {
	readonly answer: Promise<Answer>;
	readonly call: UpstreamCall;
	/** body bytes received so far */
	bytes = 0;
	ended = false;
	/** broken promises of the interface; must stay empty */
	readonly violations: string[] = [];
	#sending = true;
	#pushedBack = false;
	#aborted = false;

	constructor(upstream: Upstream, request: UpstreamRequest, options: ProbeOptions = {}) {
		let statusCode: number | undefined;
		let length: number | undefined;
		let headers: (readonly [string, string])[] = [];
		const chunks: Buffer[] = [];
		let settle: (answer: Answer) => void = () => {};
		this.answer = new Promise((resolve) => {
			settle = resolve;
		});
		const finish = (failure: UpstreamFailure | undefined, message: string): void => {
			this.ended = true;
			settle({ statusCode, headers, length, body: Buffer.concat(chunks), failure, message });
		};
		this.call = upstream.send(request, {
			onResponse: (status, lines, bytes) => {
				this.#check("onResponse", false);
				if (statusCode !== undefined) this.violations.push("onResponse twice");
				statusCode = status;
				length = bytes;
				const texts = lines.map((line) => Buffer.from(line).toString("latin1"));
				headers = texts.flatMap((name, index) =>
					index % 2 === 0 ? [[name, texts[index + 1] ?? "missing"] as const] : [],
				);
				options.onResponse?.();
			},
			onData: (chunk) => {
				this.#check("onData", false);
				if (statusCode === undefined) this.violations.push("onData before onResponse");
				this.bytes += chunk.length;
				if (options.keep !== false) chunks.push(Buffer.from(chunk));
				const more = options.onData?.(chunk) ?? true;
				this.#pushedBack = !more;
				return more;
			},
			onEnd: () => {
				this.#check("onEnd", false);
				if (statusCode === undefined) this.violations.push("onEnd before onResponse");
				finish(undefined, "");
			},
			onError: (failure, message) => {
				this.#check("onError", true);
				finish(failure, message);
			},
		});
		this.#sending = false;
	}

	resume(): void {
		this.#pushedBack = false;
		this.call.resume();
	}

	abort(): void {
		this.#aborted = true;
		this.call.abort();
	}

	#check(name: string, whilePushedBack: boolean): void {
		if (this.#sending) this.violations.push(`${name} within send`);
		if (this.ended) this.violations.push(`${name} after the end`);
		if (this.#aborted) this.violations.push(`${name} after abort`);
		if (this.#pushedBack && !whilePushedBack) this.violations.push(`${name} while pushed back`);
	}
}

/** What the callbacks of the options heard. */
export interface Heard {
	readonly failures: { failure: UpstreamFailure; address: string; message: string }[];
	retries: number;
}

export interface Bench extends Heard {
	readonly upstream: Upstream;
	/** sends and checks the order of calls when the test ends */
	probe(request: Partial<UpstreamRequest>, options?: ProbeOptions): Probe;
	ask(request?: Partial<UpstreamRequest>): Promise<Answer>;
}

const closers: (() => Promise<void>)[] = [];
const probes: Probe[] = [];
const scripted: ScriptedUpstream[] = [];

afterEach(async () => {
	const violations = probes.flatMap((probe) => probe.violations);
	const mistakes = scripted.flatMap((upstream) => upstream.mistakes);
	for (const probe of probes) if (!probe.ended) probe.abort();
	probes.length = 0;
	scripted.length = 0;
	for (const close of closers.splice(0)) await close();
	if (violations.length > 0) throw new Error(`order of calls: ${violations.join("; ")}`);
	if (mistakes.length > 0) throw mistakes[0];
});

export const request = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
	method: "GET",
	target: "/",
	headers: ["host", "example.test"],
	body: undefined,
	...change,
});

/** A scripted backend that is closed after the test. */
export const backend = async (
	script: Script,
	...tls: Parameters<typeof ScriptedUpstream.start> extends [Script, ...infer Rest] ? Rest : never
): Promise<ScriptedUpstream> => {
	const upstream = await ScriptedUpstream.start(script, ...tls);
	closers.push(() => upstream.close());
	scripted.push(upstream);
	return upstream;
};

/** An upstream over `urls`, closed after the test. */
export const bench = (
	factory: UpstreamFactory,
	urls: readonly string[],
	options: Partial<UpstreamOptions> = {},
): Bench => {
	const heard: Heard = { failures: [], retries: 0 };
	const upstream = factory(
		{ urls: [...urls] },
		{
			connectTimeoutMs: 5000,
			responseTimeoutMs: 10_000,
			idleTimeoutMs: 10_000,
			connections: 16,
			queue: 1000,
			onAttemptFailed: (failure, address, message) =>
				heard.failures.push({ failure, address, message }),
			onRetry: () => {
				heard.retries += 1;
			},
			...options,
		},
	);
	closers.push(() => upstream.close());
	const probe = (change: Partial<UpstreamRequest>, probeOptions?: ProbeOptions): Probe => {
		const made = new Probe(upstream, request(change), probeOptions);
		probes.push(made);
		return made;
	};
	return Object.assign(heard, {
		upstream,
		probe,
		ask: (change: Partial<UpstreamRequest> = {}) => probe(change).answer,
	});
};

/** Polls until the condition holds; throws after five seconds. */
export const until = async (condition: () => boolean, what: string): Promise<void> => {
	const deadline = performance.now() + 5000;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error(`never: ${what}`);
		await new Promise((resolve) => setImmediate(resolve));
	}
};

/** A body that is pushed by hand. */
export class ManualBody implements RequestBody {
	readonly length: number;
	touched = false;
	starts = 0;
	paused = false;
	#sink: Parameters<RequestBody["start"]>[0] | undefined;

	constructor(length: number) {
		this.length = length;
	}

	get started(): boolean {
		return this.#sink !== undefined;
	}

	start(sink: Parameters<RequestBody["start"]>[0]): void {
		this.starts += 1;
		this.#sink = sink;
	}

	pause(): void {
		this.paused = true;
	}

	resume(): void {
		this.paused = false;
	}

	push(chunk: Uint8Array | string): void {
		this.touched = true;
		this.#sink?.onChunk(typeof chunk === "string" ? Buffer.from(chunk, "latin1") : chunk);
	}

	end(): void {
		this.#sink?.onEnd();
	}
}

/** A body that hands its chunks over as fast as they are taken. */
export class ChunkedBody extends ManualBody {
	readonly #chunks: Iterator<Uint8Array>;
	#pumping = false;

	constructor(chunks: Iterable<Uint8Array>, length: number) {
		super(length);
		this.#chunks = chunks[Symbol.iterator]();
	}

	override start(sink: Parameters<RequestBody["start"]>[0]): void {
		super.start(sink);
		this.#pump();
	}

	override resume(): void {
		super.resume();
		this.#pump();
	}

	#pump(): void {
		if (this.#pumping) return;
		this.#pumping = true;
		while (!this.paused) {
			const next = this.#chunks.next();
			if (next.done === true) {
				this.end();
				return;
			}
			this.push(next.value);
		}
		this.#pumping = false;
	}
}

export const wholeBody = (text: string, chunked = false): ChunkedBody => {
	const bytes = Buffer.from(text, "latin1");
	return new ChunkedBody([bytes], chunked ? -1 : bytes.length);
};
