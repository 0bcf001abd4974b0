/** lmdb's errors become sentences for operators; errors that are not the store's stay as they are. */
import { expect, it } from "vitest";
import { damaged, describeStoreFailure, StoreError } from "../../src/store/store-error.ts";

it.each([
	["MDB_MAP_FULL: Environment mapsize limit reached", true, "no room left"],
	["No space left on device", true, "no room left"],
	["EACCES: permission denied, open", false, "no permission"],
	["MDB_INVALID: File is not an LMDB file", false, "damaged or not a store"],
	["MDB_CORRUPTED: Located page was wrong type", false, "damaged or not a store"],
	["MDB_READERS_FULL: Environment maxreaders limit reached", false, "failed"],
	["No such file or directory: Attempting to setup locks", false, "failed"],
	["ENOTDIR: not a directory, mkdir", false, "is no folder, or is below a file"],
	["EEXIST: file already exists, mkdir", false, "--data-dir"],
])("%s", (message, full, words) => {
	const described = describeStoreFailure(new Error(message), "/data");
	expect(described).toBeInstanceOf(StoreError);
	expect(described).toMatchObject({ full, message: expect.stringContaining(words) });
	expect((described as StoreError).message).toContain("/data");
});

it("takes what the system says of a file for the store's", () => {
	const error = Object.assign(new Error("EISDIR: illegal operation"), { syscall: "open" });
	expect(describeStoreFailure(error, "/data")).toMatchObject({
		name: "StoreError",
		message: "the store in /data failed: EISDIR: illegal operation",
	});
});

it("leaves other errors alone", () => {
	const bug = new TypeError("x is undefined");
	expect(describeStoreFailure(bug, "/data")).toBe(bug);
	const already = damaged("/data", "why");
	expect(describeStoreFailure(already, "/data")).toBe(already);
	expect(describeStoreFailure("text", "/data")).toBe("text");
});
