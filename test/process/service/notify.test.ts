/** What the service manager is told, over a real socket; that nobody who does not listen holds anything up. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Notifier } from "../../../src/process/service/notify.ts";
import { managerInbox } from "./inbox.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

function tell(environment: Record<string, string>) {
	const warnings: string[] = [];
	const notifier = new Notifier(environment, (reason) => warnings.push(reason));
	return { notifier, warnings };
}

it("without the variable nothing is sent", () => {
	const { notifier, warnings } = tell({});
	notifier.ready("serving");
	notifier.stopping();
	expect(warnings).toEqual([]);
	expect(tell({ NOTIFY_SOCKET: "" }).notifier.ready("serving")).toBeUndefined();
	expect(vi.getTimerCount()).toBe(0);
});

it("says that it is ready, reloads, is ready again, and stops; each in a datagram", () => {
	const inbox = managerInbox();
	const { notifier } = tell({ NOTIFY_SOCKET: inbox.address });
	notifier.ready("serving with 2 workers");
	const before = Number(process.hrtime.bigint() / 1000n);
	notifier.reloading();
	notifier.ready("serving with 2 workers\nREADY=0");
	notifier.status("another version takes over");
	notifier.stopping();
	const said = inbox.take();
	expect(said).toEqual([
		"READY=1\nSTATUS=serving with 2 workers",
		expect.stringMatching(/^RELOADING=1\nMONOTONIC_USEC=\d+\nSTATUS=reading/),
		"READY=1\nSTATUS=serving with 2 workers READY=0",
		"STATUS=another version takes over",
		"STOPPING=1\nSTATUS=finishing what is in flight",
	]);
	const told = Number(/MONOTONIC_USEC=(\d+)/.exec(said[1] ?? "")?.[1]);
	expect(told - before).toBeGreaterThanOrEqual(0);
	expect(told - before).toBeLessThan(10_000_000);
});

it("names the process that follows it, and falls silent", () => {
	const inbox = managerInbox();
	const { notifier } = tell({ NOTIFY_SOCKET: inbox.address, WATCHDOG_USEC: "2000000" });
	notifier.ready("serving");
	notifier.handOver(4711, "process 4711 takes over");
	vi.advanceTimersByTime(10_000);
	expect(inbox.take().slice(1)).toEqual(["MAINPID=4711\nSTATUS=process 4711 takes over"]);
});

it.each([
	["for whoever is watched", {}, 4],
	["for this process", { WATCHDOG_PID: String(process.pid) }, 4],
	["for another process", { WATCHDOG_PID: "1" }, 0],
	["without a time", { WATCHDOG_USEC: "soon" }, 0],
])("the watchdog is told twice as often as it must be, %s", (_name, more, beats) => {
	const inbox = managerInbox();
	const { notifier } = tell({ NOTIFY_SOCKET: inbox.address, WATCHDOG_USEC: "2000000", ...more });
	notifier.ready("serving");
	notifier.ready("serving, after a reload");
	inbox.take();
	vi.advanceTimersByTime(4000);
	expect(inbox.take()).toEqual(Array.from({ length: beats }, () => "WATCHDOG=1"));
	notifier.stopping();
	expect(vi.getTimerCount()).toBe(0);
});

it("a manager that is not there is told of once, in the log", () => {
	const { notifier, warnings } = tell({ NOTIFY_SOCKET: "/nowhere/notify" });
	notifier.ready("serving");
	notifier.stopping();
	expect(warnings).toEqual(["/nowhere/notify: ENOENT"]);
});

it("takes names of the kernel's own", () => {
	const inbox = managerInbox(`@weir-notify-${process.pid}`);
	tell({ NOTIFY_SOCKET: inbox.address }).notifier.ready("serving");
	expect(inbox.take()).toHaveLength(1);
});
