/** Each request has notes of its own, which begin with the request. */
import { expect, it } from "vitest";
import { AuditNotes } from "../../../src/management/audit/notes.ts";

it("begins empty, now", () => {
	const before = performance.now();
	const notes = new AuditNotes();
	expect(notes.beganMs).toBeGreaterThanOrEqual(before);
	expect(notes.beganMs).toBeLessThanOrEqual(performance.now());
	expect(notes).toMatchObject({ peer: undefined, written: undefined });
});
