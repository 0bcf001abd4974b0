/** What is told of the way to a backend, of one that was taken and of one that was not. */
import { expect, it } from "vitest";
import { UpstreamTrail } from "../../src/upstream/trail.ts";

const names = { addressText: (address: number) => `192.0.2.${address}:80` };

it("knows nothing before an upstream has told, and nothing of addresses without one", () => {
	const trail = new UpstreamTrail();
	expect(trail).toMatchObject({ address: "", attempts: 0, retries: 0, connectMs: 0 });
	trail.came(3, 1, 0.5);
	expect(trail.address).toBe("");
});

it("tells the last address, and of several attempts those beyond the first", () => {
	const trail = new UpstreamTrail();
	trail.begin(names);
	trail.came(-1, 0, 0);
	expect(trail).toMatchObject({ address: "", retries: 0 });
	trail.came(7, 3, 1.25);
	expect(trail).toMatchObject({ address: "192.0.2.7:80", retries: 2, connectMs: 1.25 });
});
