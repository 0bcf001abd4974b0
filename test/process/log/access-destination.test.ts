/** Where access lines go: to a file of their own where there is one and access lines are written, else to the others. */
import { expect, it } from "vitest";
import { AccessDestination } from "../../../src/process/log/access-destination.ts";
import type { LineLog, Log } from "../../../src/telemetry/log.ts";
import { logSettings } from "../../observing.ts";
import { lineSaying, messageOf } from "../../telemetry/encoded.ts";

function destination(settings: Parameters<typeof logSettings>[0]) {
	const heard: string[] = [];
	const logOf = (name: string): Log & LineLog => ({
		info() {},
		encoded: (line) => void heard.push(`${name}: ${messageOf(line)}`),
		warn() {},
		error() {},
		line: (text) => void heard.push(`${name}: ${text}`),
		flush: async () => void heard.push(`${name} flushed`),
		close: async () => void heard.push(`${name} closed`),
		reopen: () => void heard.push(`${name} reopened`),
	});
	const made = new AccessDestination(logSettings(settings), logOf("others"), (to) => {
		heard.push(`${to} opened`);
		return logOf(to);
	});
	return { made, heard };
}

it("is the others' where there is none, and lines that are no JSON are not among them", async () => {
	for (const settings of [{ access: true }, { accessDestination: "/a" }]) {
		const { made, heard } = destination(settings);
		made.encoded(lineSaying("request"));
		made.line("text");
		made.reopen();
		await made.close();
		expect(heard).toEqual(["others: request"]);
	}
});

it("is a file of their own, opened again, replaced at a reload, and closed", async () => {
	const { made, heard } = destination({ access: true, accessDestination: "/a" });
	made.encoded(lineSaying("request"));
	made.line("text");
	made.reopen();
	made.settle(logSettings({ access: true, accessDestination: "/a", accessQuery: true }));
	expect(heard.splice(0)).toEqual(["/a opened", "/a: request", "/a: text", "/a reopened"]);
	made.settle(logSettings({ access: true, accessDestination: "/b" }));
	made.encoded(lineSaying("one"));
	made.settle(logSettings({ access: false, accessDestination: "/b" }));
	made.encoded(lineSaying("two"));
	made.settle(logSettings({ access: true, accessDestination: "/b" }));
	expect(heard).toEqual([
		...["/a closed", "/b opened", "/b: one"],
		...["/b closed", "others: two", "/b opened"],
	]);
	await made.close();
	expect(heard.at(-1)).toBe("/b closed");
});
