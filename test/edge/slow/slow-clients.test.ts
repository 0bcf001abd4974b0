/** Who has to go of the clients that are waited for, on a manual clock. */
import { describe, expect, it } from "vitest";
import {
	Pace,
	type SlowClient,
	type SlowClientRules,
	SlowClients,
} from "../../../src/edge/slow/slow-clients.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const LOOK_MS = 250;

class Client implements SlowClient {
	direction: "upload" | "download" = "upload";
	waitedSinceMs = 0;
	movedBytes = 0;
	rated = true;
	readonly pace = new Pace(0);
	upstream: Upstream | undefined;
	heldBytes = 0;
	address = "192.0.2.1";
	/** reasons, each with the time */
	readonly dropped: string[] = [];

	readonly scene: Scene;
	readonly bytesPerSecond: number;

	constructor(scene: Scene, bytesPerSecond: number) {
		this.scene = scene;
		this.bytesPerSecond = bytesPerSecond;
	}

	drop(reason: string): void {
		this.dropped.push(`${reason} at ${this.scene.nowMs}`);
		this.scene.clients.delete(this);
	}
}

class Scene {
	nowMs = 0;
	readonly clients = new Set<Client>();
	readonly #slowClients: SlowClients;

	constructor(rules: Partial<SlowClientRules> = {}) {
		this.#slowClients = new SlowClients({
			graceMs: 20_000,
			minUploadBytesPerSecond: 500,
			minDownloadBytesPerSecond: 100,
			perAddress: 0,
			responseMemoryBytes: 1_000_000,
			...rules,
		});
	}

	add(bytesPerSecond: number, more: Partial<Client> = {}): Client {
		const client = Object.assign(new Client(this, bytesPerSecond), {
			waitedSinceMs: this.nowMs,
			...more,
		});
		this.clients.add(client);
		return client;
	}

	/** Each look after so many milliseconds; bytes come evenly. */
	run(milliseconds: number, lookMs = LOOK_MS): void {
		for (let passed = 0; passed < milliseconds; passed += lookMs) {
			this.nowMs += lookMs;
			for (const client of this.clients) {
				client.movedBytes += (client.bytesPerSecond * lookMs) / 1000;
			}
			this.#slowClients.look(this.clients, this.nowMs);
		}
	}
}

/** A backend whose `places` are all taken while so many wait. */
const full = (
	places: number,
	waiting: number,
): Upstream & { pressed: number; occupancy: number } => ({
	bodyBytes: 0,
	pressed: waiting,
	occupancy: (places + waiting) / places,
	takeStates: () => ({ waiting, addresses: [] }),
	send: () => {
		throw new Error("nothing is sent here");
	},
	close: () => Promise.resolve(),
});

describe("the least rate", () => {
	it("ends who lags behind it by the grace, and nobody at it or above", () => {
		const scene = new Scene();
		const silent = scene.add(0);
		const dripping = scene.add(0.2);
		const half = scene.add(250);
		const enough = scene.add(500);
		scene.run(60_000);
		expect(silent.dropped).toEqual([expect.stringMatching(/^rate at 2[0-2]\d{3}$/)]);
		expect(dripping.dropped).toEqual([expect.stringMatching(/^rate at 2[0-2]\d{3}$/)]);
		expect(half.dropped).toEqual([expect.stringMatching(/^rate at 4[0-2]\d{3}$/)]);
		expect(enough.dropped).toEqual([]);
	});

	it("is one for each direction, and 0 is none", () => {
		const scene = new Scene({ minUploadBytesPerSecond: 0 });
		const upload = scene.add(0);
		const reader = scene.add(50, { direction: "download" });
		const quickReader = scene.add(100, { direction: "download" });
		scene.run(60_000);
		expect([upload.dropped.length, reader.dropped.length, quickReader.dropped.length]).toEqual([
			0, 1, 0,
		]);
	});

	it("a burst earns no credit for later", () => {
		const scene = new Scene();
		const client = scene.add(0);
		client.movedBytes = 100_000_000;
		scene.run(25_000);
		expect(client.dropped).toHaveLength(1);
	});

	it("counts no time in which somebody else is waited for: a silent backend, a policy, push-back", () => {
		const scene = new Scene();
		const client = scene.add(0, { waitedSinceMs: Number.POSITIVE_INFINITY });
		scene.run(100_000);
		// Its turn again and again, for a moment each: time of others between doesn't count.
		for (let turn = 0; turn < 40; turn++) {
			client.waitedSinceMs = scene.nowMs + LOOK_MS - 100;
			scene.run(LOOK_MS);
			client.waitedSinceMs = Number.POSITIVE_INFINITY;
			scene.run(1000);
		}
		expect(client.dropped).toEqual([]);
		expect(client.pace.lagMs).toBeLessThanOrEqual(4000);
		// Its turn at last.
		client.waitedSinceMs = scene.nowMs;
		scene.run(25_000);
		expect(client.dropped).toHaveLength(1);
	});

	it("counts no time in which this worker stood still", () => {
		const scene = new Scene();
		const client = scene.add(0);
		scene.run(1000);
		scene.run(30_000, 30_000);
		scene.run(2000);
		expect(client.dropped).toEqual([]);
	});

	it("is not for uploads that the backend has answered already", () => {
		const scene = new Scene();
		const client = scene.add(0, { rated: false });
		scene.run(100_000);
		expect(client.dropped).toEqual([]);
	});
});

describe("places that others wait for", () => {
	it("are given up by the slowest, as many as wait, and soon", () => {
		const scene = new Scene();
		const upstream = full(10, 3);
		const older = Array.from({ length: 5 }, () => scene.add(0, { upstream }));
		scene.run(2 * LOOK_MS);
		const newer = Array.from({ length: 5 }, () => scene.add(0, { upstream }));
		scene.run(2 * LOOK_MS);
		upstream.pressed = 0;
		scene.run(3000);
		const reasons = (clients: readonly Client[]) => clients.flatMap(({ dropped }) => dropped);
		expect(reasons(older)).toEqual(Array(3).fill("place at 1000"));
		expect(reasons(newer)).toEqual([]);
	});

	it("are kept by who keeps 16 KiB/s, by whom nobody waits for, and while nobody waits", () => {
		const scene = new Scene();
		const upstream = full(10, 50);
		const idle = full(10, 0);
		const kept = [
			scene.add(16_384, { upstream }),
			scene.add(0, { upstream, waitedSinceMs: Number.POSITIVE_INFINITY }),
			scene.add(0, { upstream: idle }),
			scene.add(0),
		];
		const slow = scene.add(10_000, { upstream });
		scene.run(15_000);
		expect(kept.flatMap(({ dropped }) => dropped)).toEqual([]);
		expect(slow.dropped).toHaveLength(1);
	});

	it("are given up the sooner the longer the queue is beside the places", () => {
		const times = [4, 16, 1000].map((waiting) => {
			const scene = new Scene();
			const client = scene.add(0, { upstream: full(8, waiting) });
			scene.run(3000);
			return Number(/place at (\d+)/.exec(client.dropped[0] ?? "")?.[1]);
		});
		expect(times).toEqual([1000, 500, 250]);
	});
});

describe("clients of one address", () => {
	it("that are slow at the same time are bounded, the slowest go first", () => {
		const scene = new Scene({ perAddress: 3 });
		const first = scene.add(0);
		scene.run(1000);
		const others = Array.from({ length: 3 }, () => scene.add(100));
		const elsewhere = scene.add(0, { address: "192.0.2.2" });
		scene.run(4000);
		expect(first.dropped).toEqual([expect.stringMatching(/^address at /)]);
		expect([...others, elsewhere].flatMap(({ dropped }) => dropped)).toEqual([]);
	});

	it("are those of an IPv6 site, which may take another address for each", () => {
		const scene = new Scene({ perAddress: 3 });
		const site = (prefix: string, count: number) =>
			Array.from({ length: count }, (_, index) => scene.add(0, { address: `${prefix}::${index}` }));
		const attackers = site("2001:db8:0:1", 10);
		const others = site("2001:db8:0:2", 3);
		scene.run(5000);
		expect(attackers.filter(({ dropped }) => dropped.length > 0)).toHaveLength(7);
		expect(others.flatMap(({ dropped }) => dropped)).toEqual([]);
	});

	it("that keep the least rate may be as many as they like", () => {
		const scene = new Scene({ perAddress: 3 });
		const clients = Array.from({ length: 500 }, () => scene.add(1000));
		scene.run(10_000);
		expect(clients.flatMap(({ dropped }) => dropped)).toEqual([]);
	});
});

describe("memory of responses", () => {
	it("is given back by the slowest readers, and by no more of them than it takes", () => {
		const scene = new Scene();
		const slow = Array.from({ length: 20 }, (_, index) =>
			scene.add(index * 500, { direction: "download", heldBytes: 100_000 }),
		);
		const quick = scene.add(20_000, { direction: "download", heldBytes: 100_000 });
		scene.run(4000);
		const gone = slow.map(({ dropped }) => dropped.length);
		expect(gone).toEqual([...Array(11).fill(1), ...Array(9).fill(0)]);
		expect(slow[0]?.dropped[0]).toMatch(/^memory/);
		expect(quick.dropped).toEqual([]);
	});
});
