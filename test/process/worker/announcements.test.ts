import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Announcements } from "../../../src/process/worker/announcements.ts";
import type { Change } from "../../../src/store/store.ts";

const policy = (edgeId: string, routeId: string): Change => ({ kind: "policy", edgeId, routeId });
const edge = (edgeId: string): Change => ({ kind: "edge", edgeId });
const list = (listId: string): Change => ({ kind: "ip_list", listId });

/** Works that end when the test says so. */
class Works {
	readonly begun: string[] = [];
	readonly ended: string[] = [];
	readonly failures: unknown[] = [];
	readonly announcements = new Announcements((error) => this.failures.push(error));
	readonly #ends = new Map<string, (error?: Error) => void>();

	take(name: string, changes: readonly Change[]): void {
		void this.announcements.take(changes, () => this.#work(name));
	}

	alone(name: string): void {
		void this.announcements.alone(() => this.#work(name));
	}

	#work(name: string): Promise<void> {
		this.begun.push(name);
		return new Promise((resolve, reject) => {
			this.#ends.set(name, (error) => {
				this.ended.push(name);
				if (error === undefined) resolve();
				else reject(error);
			});
		});
	}

	async end(name: string, error?: Error): Promise<void> {
		this.#ends.get(name)?.(error);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

describe("Announcements", () => {
	it("lets other routes' changes pass, and the same route's wait", async () => {
		const works = new Works();
		works.take("large", [policy("e", "a")]);
		works.take("small", [policy("e", "b")]);
		works.take("again", [policy("e", "a")]);
		works.take("list", [list("l")]);
		expect(works.begun).toEqual(["large", "small", "list"]);
		await works.end("small");
		expect(works.begun).toHaveLength(3);
		await works.end("large");
		expect(works.begun).toEqual(["large", "small", "list", "again"]);
	});

	it("has an edge's change behind those of its routes, and they behind it", async () => {
		const works = new Works();
		works.take("route", [policy("e", "a")]);
		works.take("edge", [edge("e")]);
		works.take("later", [policy("e", "b")]);
		works.take("other", [edge("f"), policy("g", "a")]);
		expect(works.begun).toEqual(["route", "other"]);
		await works.end("route");
		expect(works.begun).toEqual(["route", "other", "edge"]);
		await works.end("edge");
		expect(works.begun).toContain("later");
	});

	it("has no changes, and what must be alone, behind everything", async () => {
		const works = new Works();
		works.take("a", [policy("e", "a")]);
		works.take("none", []);
		works.take("b", [policy("e", "b")]);
		works.alone("alone");
		let isSettled = false;
		void works.announcements.settled().then(() => {
			isSettled = true;
		});
		for (const name of ["a", "none", "b", "alone"]) {
			expect(works.begun.at(-1)).toBe(name);
			expect(isSettled).toBe(false);
			await works.end(name);
		}
		expect(isSettled).toBe(true);
	});

	it("tells of a failure, and goes on with what waited", async () => {
		const works = new Works();
		works.take("a", [policy("e", "a")]);
		works.take("b", [policy("e", "a")]);
		const error = new Error("no");
		await works.end("a", error);
		expect(works.failures).toEqual([error]);
		expect(works.begun).toEqual(["a", "b"]);
	});

	it("property: whatever ends when, changes of the same are in order, and all are done", async () => {
		const change = fc.oneof(
			fc.tuple(fc.constantFrom("e", "f"), fc.constantFrom("a", "b")).map(([e, r]) => policy(e, r)),
			fc.constantFrom("e", "f").map(edge),
			fc.constantFrom("l", "m").map(list),
		);
		const isSame = (one: Change, other: Change): boolean =>
			one.kind === "ip_list" || other.kind === "ip_list"
				? one.kind === other.kind
				: one.edgeId === other.edgeId &&
					(one.kind === "edge" ||
						other.kind === "edge" ||
						JSON.stringify(one) === JSON.stringify(other));
		const batches = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(batches, fc.infiniteStream(fc.nat()), async (all, chosen) => {
				const works = new Works();
				for (const [at, changes] of all.entries()) works.take(`${at}`, changes);
				while (works.ended.length < all.length) {
					const open = works.begun.filter((name) => !works.ended.includes(name));
					expect(open.length).toBeGreaterThan(0);
					await works.end(open[Number(chosen.next().value) % open.length] ?? "");
				}
				for (const [at, changes] of all.entries())
					for (let before = 0; before < at; before++) {
						const earlier = all[before] ?? [];
						const mustWait =
							changes.length === 0 ||
							earlier.length === 0 ||
							changes.some((one) => earlier.some((other) => isSame(one, other)));
						if (!mustWait) continue;
						expect(works.ended.indexOf(`${before}`)).toBeLessThan(works.ended.indexOf(`${at}`));
					}
			}),
			{ numRuns: 60 },
		);
	});
});
