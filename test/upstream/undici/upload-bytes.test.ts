import { expect, it } from "vitest";
import { UploadBytes } from "../../../src/upstream/undici/upload-bytes.ts";

it("sums the uploads that are not over, again after a while", () => {
	let now = 0;
	const uploads = new UploadBytes(() => now);
	const one = { done: false, bodyBytes: 10 };
	const other = { done: false, bodyBytes: 5 };
	uploads.add(one);
	uploads.add(other);
	expect(uploads.count()).toBe(15);
	one.bodyBytes = 20;
	other.done = true;
	now = 19;
	expect(uploads.count()).toBe(15);
	now = 20;
	expect(uploads.count()).toBe(20);
});
