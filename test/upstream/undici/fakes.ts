/** Stand-ins for what surrounds a call in an upstream: a connection, a pool, a sink that only records. */

import type { PoolConnection } from "../../../src/upstream/undici/address-connections.ts";
import type { AttemptConnection } from "../../../src/upstream/undici/attempt-context.ts";
import type { CallPool, PooledCall } from "../../../src/upstream/undici/call.ts";
import { DeadlineList } from "../../../src/upstream/undici/deadlines.ts";
import type {
	ResponseSink,
	UpstreamFailure,
	UpstreamRequest,
} from "../../../src/upstream/upstream.ts";

export const plainRequest = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
	method: "GET",
	target: "/",
	lines: "host: a\r\n",
	more: "",
	body: undefined,
	...change,
});

export const lines = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

/** Lets everything that was put off until the stack is empty happen. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class RecordingSink implements ResponseSink {
	readonly heard: string[] = [];
	/** what `onData` returns */
	wantsMore = true;

	onResponse(statusCode: number): void {
		this.heard.push(`response ${statusCode}`);
	}

	onData(chunk: Uint8Array): boolean {
		this.heard.push(`data ${Buffer.from(chunk).toString()}`);
		return this.wantsMore;
	}

	onEnd(): void {
		this.heard.push("end");
	}

	onWhole(statusCode: number): void {
		this.heard.push(`whole ${statusCode}`);
	}

	onError(failure: UpstreamFailure): void {
		this.heard.push(`error ${failure}`);
	}
}

export class FakeConnection implements PoolConnection {
	readonly address: number;
	connected = true;
	connectMs = 0;
	connectTimedOut = false;
	sawResponseByte = false;
	endedByPeer = false;
	unsentBytes = 0;
	idleSinceMs = 0;
	reused = false;
	readonly did: string[] = [];
	call: PooledCall | undefined;

	constructor(address = 0) {
		this.address = address;
	}

	dispatch(call: PooledCall): void {
		this.call = call;
	}

	beginRequest(): boolean {
		return this.reused;
	}

	endRequest(): void {
		this.did.push("endRequest");
	}

	renew(): void {
		this.did.push("renew");
	}

	detached = 0;
	detach(): void {
		this.detached++;
	}
	pauseReading(): void {
		this.did.push("pause");
	}

	resumeReading(): void {
		this.did.push("resume");
	}

	disconnect(): void {
		this.did.push("disconnect");
		this.connected = false;
	}

	async close(): Promise<void> {
		this.did.push("close");
	}

	/** A whole answer with no body, as undici reports it. */
	answer(): void {
		const call = this.call;
		call?.onConnect(() => {});
		call?.onRequestSent();
		call?.onHeaders(200, lines("content-length", "0"));
		call?.onComplete([]);
	}
}

export class FakePool implements CallPool {
	readonly addressCount: number;
	readonly connectDeadlines = new DeadlineList(1000);
	readonly responseDeadlines = new DeadlineList(2000);
	readonly idleDeadlines = new DeadlineList(3000);
	readonly idleTimeoutMs = 3000;
	readonly released: AttemptConnection[] = [];
	readonly retried: PooledCall[] = [];
	readonly failures: UpstreamFailure[] = [];
	/** addresses that answered, and that failed */
	readonly answeredAt: number[] = [];
	readonly failedAt: number[] = [];
	withdrawn = 0;

	constructor(addressCount = 1) {
		this.addressCount = addressCount;
	}

	release(connection: AttemptConnection): void {
		this.released.push(connection);
	}

	withdraw(): void {
		this.withdrawn += 1;
	}

	answered(address: number): void {
		this.answeredAt.push(address);
	}

	addressFailed(address: number): void {
		this.failedAt.push(address);
	}

	retry(call: PooledCall): void {
		this.retried.push(call);
	}

	attemptFailed(failure: UpstreamFailure): void {
		this.failures.push(failure);
	}
}
