/** Reads that a server behind others can't answer yet are asked again, for a while. */
import { expect, it } from "vitest";
import { whileBehind } from "../../../../src/fleet/log/nats/behind.ts";

it("asks until there is an answer", async () => {
	let asked = 0;
	const answer = await whileBehind("it", async () => (++asked < 4 ? undefined : "here"));
	expect(answer).toBe("here");
	expect(asked).toBe(4);
});

it("gives up after a while, by name", async () => {
	const never = whileBehind("record 7 of WEIR_PROD_LOG", async () => undefined, 12);
	await expect(never).rejects.toMatchObject({
		kind: "unreachable",
		message: expect.stringContaining("record 7 of WEIR_PROD_LOG"),
	});
});

it("has another answer at the end, where there is one", async () => {
	let asked = 0;
	const ask = async () => (++asked < 3 ? { otherwise: "lost" } : "here");
	expect(await whileBehind("it", ask)).toBe("here");
	expect(await whileBehind("it", async () => ({ otherwise: "lost" }), 12)).toBe("lost");
});

it("passes on what goes wrong", async () => {
	await expect(
		whileBehind("it", async () => {
			throw new Error("broken");
		}),
	).rejects.toThrow("broken");
});
