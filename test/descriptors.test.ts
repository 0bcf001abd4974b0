/** The shares of descriptors leave everybody something, and the lowest free number tells how many are taken. */
import {
	closeSync,
	mkdtempSync,
	openSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { areTaken, descriptorShares, sharesOf } from "../src/descriptors.ts";
import { LIMITS } from "../src/limits/limits.ts";
import { addon } from "../src/native-addon.ts";

it("leaves each client a connection to a backend, the process its files, and accept a number", () => {
	const reserve = LIMITS.descriptorReserve;
	for (const limit of [3 * reserve, 256, 1024, 20_000, 2 ** 31 - 1]) {
		const { clients, management, upstreamEnd, clientEnd } = sharesOf(limit);
		expect(clients).toBeGreaterThan(limit / 8);
		expect(reserve + 2 * clients).toBeLessThanOrEqual(upstreamEnd);
		expect(upstreamEnd).toBeLessThan(clientEnd);
		expect(clientEnd).toBeLessThan(limit);
		expect(management).toBeLessThanOrEqual(limit / 4);
	}
	expect(sharesOf(256)).toEqual({
		clients: 64,
		management: 48,
		upstreamEnd: 192,
		clientEnd: 224,
	});
});

it("lets a client in even where there are next to none", () => {
	for (const limit of [0, 10, reserveAndMore()])
		for (const share of Object.values(sharesOf(limit))) expect(share).toBeGreaterThan(0);
});

const reserveAndMore = () => LIMITS.descriptorReserve + 1;

it("knows this process's limit and the number that the next file gets", () => {
	expect(descriptorShares().clientEnd).toBeGreaterThan(100);
	const free = addon.lowestFreeDescriptor();
	const file = openSync("/dev/null", "r");
	expect(file).toBe(free);
	expect(areTaken(file + 1)).toBe(true);
	expect(areTaken(addon.lowestFreeDescriptor() + 1)).toBe(false);
	closeSync(file);
	expect(areTaken(file + 1)).toBe(false);
});

it("tells a file's length, and whose a path is, as the system does", () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-files-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const [path, other] = [join(folder, "é one"), join(folder, "other")];
	writeFileSync(path, "12345");
	writeFileSync(other, "");
	const file = openSync(path, "r");
	expect(addon.fileBytes(file)).toBe(5);
	expect(addon.fileAt(path, file)).toBe(0);
	expect(addon.fileAt(other, file)).toBe(-1);
	renameSync(other, path);
	expect(addon.fileAt(path, file)).toBe(-1);
	expect(addon.fileBytes(file)).toBe(5);
	const { ENOENT, ENOTDIR, EBADF } = constants.errno;
	expect(addon.fileAt(join(folder, "none"), file)).toBe(ENOENT);
	expect(addon.fileAt(join(path, "below"), file)).toBe(ENOTDIR);
	closeSync(file);
	expect(addon.fileBytes(2 ** 30)).toBe(-EBADF);
});

it("reads a part of a file, and less at its end", () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-files-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, "one"), "12345");
	const file = openSync(join(folder, "one"), "r");
	const into = Buffer.from("abc");
	expect(addon.readAt(file, into, 1)).toBe(3);
	expect(into.toString()).toBe("234");
	expect(addon.readAt(file, into, 4)).toBe(1);
	expect(into.toString()).toBe("534");
	expect(addon.readAt(file, into, 9)).toBe(0);
	closeSync(file);
	expect(addon.readAt(2 ** 30, into, 0)).toBe(-constants.errno.EBADF);
});

it("tells two files at once as each alone", () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-files-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const [one, other] = [join(folder, "one"), join(folder, "other")];
	const descriptors = [one, other].map((path) => {
		writeFileSync(path, "");
		return openSync(path, "r");
	});
	const [first = -1, second = -1] = descriptors;
	const bytes = fc.integer({ min: 0, max: 3 });
	const path = fc.constantFrom(one, other, join(folder, "none"));
	fc.assert(
		fc.property(bytes, bytes, bytes, bytes, path, path, (a, b, seenA, seenB, pathA, pathB) => {
			truncateSync(one, a);
			truncateSync(other, b);
			const length = a >= seenA && b === seenB ? addon.fileBytes(first) : -1;
			expect(addon.filesBytes(first, seenA, second, seenB)).toBe(length);
			const areThere = addon.fileAt(pathA, first) === 0 && addon.fileAt(pathB, second) === 0;
			expect(addon.filesAt(first, seenA, second, seenB, pathA, pathB)).toBe(areThere ? length : -1);
		}),
	);
	for (const descriptor of descriptors) closeSync(descriptor);
	expect(addon.filesBytes(2 ** 30, 0, 2 ** 30, 0)).toBe(-1);
	expect(addon.filesAt(2 ** 30, 0, 2 ** 30, 0, one, other)).toBe(-1);
});
