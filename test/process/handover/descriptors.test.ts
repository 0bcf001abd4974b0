/** Descriptors that go from one process to another, here to this one itself. */
import {
	closeSync,
	existsSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Inbox, removeInbox, sendDescriptors } from "../../../src/process/handover/descriptors.ts";
import { temporaryFolder } from "../../store/folder.ts";

it("all arrive, in their order, however many they are", () => {
	const folder = temporaryFolder();
	const files = ["one", "other"].map((name) => {
		writeFileSync(join(folder, name), name);
		return openSync(join(folder, name), "r");
	});
	const inbox = new Inbox(folder);
	onTestFinished(() => inbox.close());
	expect(inbox.take()).toEqual([]);
	const sent = Array.from({ length: 450 }, (_, at) => files[at % 2] ?? -1);
	sendDescriptors(folder, process.pid, sent);
	const taken = inbox.take();
	const numbers = (descriptors: readonly number[]) =>
		descriptors.map((each) => fstatSync(each).ino);
	expect(numbers(taken)).toEqual(numbers(sent));
	for (const each of [...taken, ...files]) closeSync(each);
});

it("a folder with a long path will do; the socket is gone afterwards", () => {
	const folder = join(temporaryFolder(), "x".repeat(100), "y".repeat(100));
	mkdirSync(folder, { recursive: true });
	const inbox = new Inbox(folder);
	sendDescriptors(folder, process.pid, [0]);
	expect(inbox.take()).toHaveLength(1);
	inbox.close();
	expect(readdirSync(folder)).toEqual([]);
});

it("one that was left behind is replaced, or removed for another process", () => {
	const folder = temporaryFolder();
	const name = join(folder, `takeover-${process.pid}.sock`);
	writeFileSync(name, "");
	new Inbox(folder).close();
	writeFileSync(name, "");
	removeInbox(folder, process.pid);
	expect(existsSync(name)).toBe(false);
	removeInbox(folder, process.pid);
});

it("nobody to send to, and nowhere to receive, are told in a sentence", () => {
	const folder = temporaryFolder();
	expect(() => sendDescriptors(folder, process.pid, [0])).toThrow(
		"the listening sockets can't be handed over: ENOENT",
	);
	expect(() => new Inbox(join(folder, "nowhere"))).toThrow("no socket can be made in");
});
