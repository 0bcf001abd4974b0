/** Proves that a sink gets every chunk once, in order, and none while it pushes back or from within `resume`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Delivery } from "../../src/upstream/delivery.ts";

class Recorded extends Delivery {
	paused_ = 0;
	aborted = false;
	atOnce = false;
	flushed = 0;

	get pushedBack(): boolean {
		return this.paused;
	}
	push(chunk: Uint8Array): void {
		this.deliver(chunk);
	}
	stop(): void {
		this.finish();
	}
	override abort(): void {
		this.aborted = true;
		this.finish();
	}
	protected override get resumesAtOnce(): boolean {
		return this.atOnce;
	}
	protected override onPause(): void {
		this.paused_ += 1;
	}
	protected override onFlushed(): void {
		this.flushed += 1;
	}
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("agrees with a queue", async () => {
	const step = fc.constantFrom("push", "push", "push", "resume", "turn");
	await fc.assert(
		fc.asyncProperty(
			fc.array(step),
			fc.array(fc.boolean()),
			fc.boolean(),
			async (steps, answers, atOnce) => {
				const seen: number[] = [];
				let held = false;
				const delivery = new Recorded({
					onResponse: () => {},
					onEnd: () => {},
					onWhole: () => {},
					onError: () => {},
					onData: (chunk) => {
						expect(held).toBe(false);
						seen.push(chunk[0] ?? -1);
						held = answers[seen.length % Math.max(1, answers.length)] === false;
						return !held;
					},
				});
				delivery.atOnce = atOnce;
				const resume = (): void => {
					held = false;
					delivery.resume();
				};
				let pushed = 0;
				for (const what of steps) {
					if (what === "push") {
						delivery.push(Uint8Array.of(pushed % 256));
						pushed += 1;
					} else if (what === "resume") resume();
					else await turn();
				}
				for (let round = 0; round <= pushed; round += 1) {
					resume();
					await turn();
				}
				expect(seen).toEqual(Array.from({ length: pushed }, (_, index) => index % 256));
				expect(delivery.pushedBack).toBe(false);
				expect(delivery.flushed > 0).toBe(delivery.paused_ > 0);
			},
		),
	);
});

test("nothing is given out after the end", async () => {
	let count = 0;
	const delivery = new Recorded({
		onResponse: () => {},
		onEnd: () => {},
		onWhole: () => {},
		onError: () => {},
		onData: () => {
			count += 1;
			return false;
		},
	});
	delivery.push(Uint8Array.of(1));
	delivery.push(Uint8Array.of(2));
	delivery.resume();
	delivery.stop();
	await turn();
	expect(count).toBe(1);
	expect(delivery.done).toBe(true);
});

test("counts what it keeps", async () => {
	let wants = false;
	const delivery = new Recorded({
		onResponse: () => {},
		onEnd: () => {},
		onWhole: () => {},
		onError: () => {},
		onData: () => wants,
	});
	for (let chunk = 0; chunk < 3; chunk++) delivery.push(Buffer.alloc(100));
	expect(delivery.heldBytes).toBe(200);
	wants = true;
	delivery.resume();
	await turn();
	expect(delivery.heldBytes).toBe(0);
});
