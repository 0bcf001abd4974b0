/** What `weir fleet` may be asked for: each command with its word and its flags, and a sentence for everything else. */
import { describe, expect, it } from "vitest";
import { chosenAction, numberOf } from "../../../src/process/commands/fleet-choices.ts";

describe("chosenAction", () => {
	it("takes commands with what is theirs", () => {
		expect(chosenAction(["init"], { monitor: "http://x", replicas: "3", config: "a" })).toEqual({
			...{ ok: true, value: { action: "init", word: "" } },
		});
		expect(chosenAction(["forget", "m_1"], {})).toEqual({
			...{ ok: true, value: { action: "forget", word: "m_1" } },
		});
		expect(chosenAction(["log"], { limit: "3", json: true })).toMatchObject({ ok: true });
	});

	it.each([
		[[], {}, /unknown fleet command ""; valid: init, join/],
		[["stats"], {}, /unknown fleet command "stats"; did you mean "status"\?/],
		[["status", "now"], {}, /fleet status takes no "now"/],
		[["forget"], {}, /fleet forget needs one MEMBER/],
		[["export", "a", "b"], {}, /fleet export needs one FILE/],
		[["leave"], { json: true }, /--json is for fleet status and fleet log and fleet level, not/],
		[["status"], { raise: true }, /--raise is for fleet level, not for fleet status/],
		[["init"], { "discard-local": true }, /--discard-local is for fleet join, not for fleet init/],
	])("%j with %j is a mistake", (words, flags, error) => {
		expect(chosenAction(words, flags)).toEqual({ ok: false, error: expect.stringMatching(error) });
	});
});

it("reads numbers within their bounds", () => {
	const bounds = { least: 1, most: 9, fallback: 5 };
	expect(numberOf({}, "limit", bounds)).toEqual({ ok: true, value: 5 });
	expect(numberOf({ limit: "9" }, "limit", bounds)).toEqual({ ok: true, value: 9 });
	for (const limit of ["0", "10", "x", "1e0", "-1", ""])
		expect(numberOf({ limit }, "limit", bounds)).toEqual({
			ok: false,
			error: `--limit: "${limit}" is no number from 1 to 9`,
		});
});
