/** Unsaved texts outlive a look at another page, and are forgotten when they are saved. */
import { expect, it } from "vitest";
import { Drafts } from "../../../ui/editor/drafts.ts";

it("keeps what differs from what is saved", () => {
	const drafts = new Drafts();
	const base = { text: "{}", etag: '"1"' };
	drafts.keep("e/r", { text: "{ }", base });
	expect([drafts.isEmpty, drafts.of("e/r")?.text, drafts.of("e/other")]).toEqual([
		false,
		"{ }",
		undefined,
	]);
	drafts.keep("e/r", { text: "{}", base });
	expect([drafts.isEmpty, drafts.of("e/r")]).toEqual([true, undefined]);
});
