/** What members say of themselves is bounded, and taken from others only if it is sound. */
import { expect, it } from "vitest";
import { decodeStatus, encodeStatus } from "../../../src/fleet/log/status-codec.ts";
import { statusOf } from "./examples.ts";

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

it("comes back as it was said", () => {
	const status = statusOf("m_0123456789abcdef");
	expect(decodeStatus(Buffer.from(encodeStatus(status)))).toEqual(status);
});

it("loses its labels where they would not fit", () => {
	const labels = Object.fromEntries(
		Array.from({ length: 60 }, (_, index) => [`label-${index}`, "a value"]),
	);
	const said = encodeStatus(statusOf("m_one", { labels }));
	expect(Buffer.byteLength(said)).toBeLessThanOrEqual(1024);
	expect(decodeStatus(Buffer.from(said))).toEqual(statusOf("m_one", { labels: {} }));
});

it("is not taken where it is unsound", () => {
	const sound = statusOf("m_one");
	for (const wrong of [
		{ ...sound, id: "one" },
		{ ...sound, id: "m_a.b" },
		{ ...sound, state: "asleep" },
		{ ...sound, revision: -1 },
		{ ...sound, revision: "12" },
		{ ...sound, digest: "abc" },
		{ ...sound, labels: { region: 1 } },
		{ ...sound, name: "x".repeat(300) },
		null,
		[],
	])
		expect(decodeStatus(bytes(wrong))).toBeUndefined();
	expect(decodeStatus(Buffer.from("{"))).toBeUndefined();
	expect(decodeStatus(bytes({ ...sound, more: "x".repeat(1100) }))).toBeUndefined();
	expect(decodeStatus(bytes({ ...sound, since_a_newer_weir: true }))).toEqual(sound);
});
