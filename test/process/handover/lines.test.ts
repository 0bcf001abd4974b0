/** Lines over a real connection: whole ones only, in order, and an end. */
import { expect, it } from "vitest";
import { Lines } from "../../../src/process/handover/lines.ts";
import { until } from "../../e2e/harness.ts";
import { conversation, heard } from "./conversation.ts";

async function listening() {
	const { served, asking } = await conversation();
	const said: unknown[] = [];
	let closes = 0;
	const lines = new Lines(
		served,
		(value) => {
			if (value === "throw") throw new Error("not understood");
			said.push(value);
		},
		() => {
			closes += 1;
		},
	);
	return { lines, asking, said, closes: () => closes };
}

it("hears values however they are cut, and says them", async () => {
	const { lines, asking, said } = await listening();
	const other = heard(asking);
	asking.write('{"a":1}\n[2');
	await until(() => said.length === 1 || undefined, "the first");
	asking.write(']\n"three"\n');
	await until(() => said.length === 3 || undefined, "the others");
	expect(said).toEqual([{ a: 1 }, [2], "three"]);
	await lines.say({ line: "with\nbreaks" });
	await until(() => other.lines.length > 0 || undefined, "an answer");
	expect(other.lines).toEqual([{ line: "with\nbreaks" }]);
});

it.each([["no JSON\n"], ['"throw"\n']])("%j ends it", async (text) => {
	const { asking, said, closes } = await listening();
	asking.on("error", () => {});
	asking.write(text);
	await until(() => closes() > 0 || undefined, "the end");
	expect(said).toEqual([]);
	expect(closes()).toBe(1);
});

it("ends behind what was said, and says nothing more without failing", async () => {
	const { lines, asking, closes } = await listening();
	const other = heard(asking);
	void lines.say("last");
	lines.end();
	await until(() => closes() > 0 || undefined, "the end");
	expect(other.lines).toEqual(["last"]);
	await lines.say("too late");
});
