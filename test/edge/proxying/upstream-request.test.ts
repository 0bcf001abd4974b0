/** What goes to the upstream and when, and that nothing more is wanted of it once it was said so. */
import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { UpstreamRequest } from "../../../src/edge/proxying/upstream-request.ts";
import type { Route } from "../../../src/edge/routing/route.ts";
import { IdleTimeouts } from "../../../src/edge/slow/idle-timeouts.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const exchange = {
	client: { isHttp10: false },
	method: "GET",
	target: "/x?y",
	head: {
		bodyLength: 0,
		ascii: true,
		host: "h",
		authority: {},
		lines: { forwarded: () => "a: 1\r\n" },
	},
	peer: "192.0.2.1",
	peerTrusted: false,
	listenerContext: { scheme: "http" },
} as unknown as Exchange;

/** Notes what it is told, and has no response. */
class Noted extends UpstreamRequest {
	readonly happened: unknown[] = [];
	start(): void {
		this.sendOn(undefined, new IdleTimeouts(1000));
	}
	protected override threw(error: unknown): void {
		this.happened.push(error instanceof Error ? error.message : error);
	}
	override tooSlow(...reasons: unknown[]): void {
		this.happened.push(reasons);
	}
	override malformed(): void {}
	override onResponse(): void {}
	override onData(): boolean {
		return true;
	}
	override onEnd(): void {}
	override onWhole(): void {}
	override onError(): void {}
}

/** A request whose upstream does what `send` does; it notes what becomes of its call. */
function setUp(send: (request: Noted) => void) {
	const sent: Parameters<Upstream["send"]>[0][] = [];
	const upstream = {
		send(request: Parameters<Upstream["send"]>[0]) {
			sent.push(request);
			send(made);
			return {
				heldBytes: 3,
				holdsPlace: true,
				resume: () => made.happened.push("resumed"),
				abort: () => made.happened.push("aborted"),
			};
		},
	};
	const route = { backend: { upstream, document: {} } } as unknown as Route;
	const made = new Noted(exchange, route, undefined);
	return { made, sent, happened: made.happened, start: () => made.start() };
}

it("a request without a body is sent at once, and tells what its call holds", () => {
	const { made, sent, happened, start } = setUp(() => {});
	expect([made.heldBytes, made.holdsPlace]).toEqual([0, false]);
	start();
	expect(sent).toMatchObject([{ method: "GET", target: "/x?y", body: undefined }]);
	expect(`${sent[0]?.lines}${sent[0]?.more}`).toContain("a: 1\r\nx-forwarded-for: 192.0.2.1\r\n");
	made.resume();
	made.tooSlow("download", "rate");
	expect(happened).toEqual(["resumed", ["download", "rate"]]);
	expect([made.heldBytes, made.holdsPlace]).toEqual([3, true]);
});

it("the call ends if nothing more is wanted, also while `send` has not returned", () => {
	const after = setUp(() => {});
	after.start();
	after.made.dropCall();
	expect(after.happened).toEqual(["aborted"]);
	const within = setUp((made) => made.dropCall());
	within.start();
	expect(within.happened).toEqual(["aborted"]);
});

it("an upstream that throws is told of, and there is no call to end", () => {
	const { made, happened, start } = setUp(() => {
		throw new Error("a bug");
	});
	start();
	made.dropCall();
	made.stopBody();
	expect(happened).toEqual(["a bug"]);
});
