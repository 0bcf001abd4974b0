/** Signals that come before the server runs are kept for it; many reloads are two; the second stop gives up. */
import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { Signals } from "../../../src/process/signals/signals.ts";

function setUp() {
	const source = new EventEmitter();
	const exit = vi.fn();
	const handlers = {
		reload: vi.fn(async () => {}),
		reopenLogs: vi.fn(),
		stop: vi.fn(),
		kill: vi.fn(),
	};
	return { source, exit, handlers, signals: new Signals(source, exit) };
}

it("keeps what comes during start-up", async () => {
	const { source, handlers, signals } = setUp();
	source.emit("SIGHUP");
	source.emit("SIGHUP");
	source.emit("SIGUSR1");
	signals.obey(handlers);
	await vi.waitUntil(() => handlers.reload.mock.calls.length === 1);
	await new Promise((resolve) => setImmediate(resolve));
	expect(handlers.reload).toHaveBeenCalledOnce();
	expect(handlers.stop).not.toHaveBeenCalled();
	expect(handlers.reopenLogs).toHaveBeenCalledOnce();
});

it("opens logs again at each SIGUSR1, stops at SIGQUIT, and hears what it does not obey", () => {
	const { source, handlers, signals } = setUp();
	signals.obey(handlers);
	source.emit("SIGUSR1");
	source.emit("SIGUSR1");
	expect(handlers.reopenLogs).toHaveBeenCalledTimes(2);
	for (const signal of ["SIGUSR2", "SIGALRM"]) expect(source.emit(signal)).toBe(true);
	expect(handlers.stop).not.toHaveBeenCalled();
	source.emit("SIGQUIT");
	expect(handlers.stop.mock.calls).toEqual([["SIGQUIT"]]);
});

it("stops a reload that waits", async () => {
	const { source, handlers, signals } = setUp();
	signals.obey(handlers);
	source.emit("SIGHUP");
	source.emit("SIGHUP");
	source.emit("SIGTERM");
	await new Promise((resolve) => setImmediate(resolve));
	expect(handlers.reload).toHaveBeenCalledOnce();
});

it("stops as soon as it can when told so during start-up, and reloads no more", () => {
	const { source, handlers, signals, exit } = setUp();
	source.emit("SIGHUP");
	source.emit("SIGINT");
	signals.obey(handlers);
	expect(handlers.stop.mock.calls).toEqual([["SIGINT"]]);
	expect(handlers.reload).not.toHaveBeenCalled();
	expect(exit).not.toHaveBeenCalled();
});

it("gives up at the second signal to stop, running or not", () => {
	for (const isRunning of [true, false]) {
		const { source, handlers, signals, exit } = setUp();
		if (isRunning) signals.obey(handlers);
		source.emit("SIGTERM");
		expect(exit).not.toHaveBeenCalled();
		source.emit("SIGINT");
		expect(exit).toHaveBeenCalledOnce();
		expect(handlers.stop).toHaveBeenCalledTimes(isRunning ? 1 : 0);
		expect(handlers.kill).toHaveBeenCalledTimes(isRunning ? 1 : 0);
	}
});

it("reloads once more for all that came during a reload", async () => {
	const { source, handlers, signals } = setUp();
	let finish = () => {};
	handlers.reload.mockImplementationOnce(
		() =>
			new Promise((resolve) => {
				finish = resolve;
			}),
	);
	signals.obey(handlers);
	for (let signal = 0; signal < 40; signal++) source.emit("SIGHUP");
	await vi.waitUntil(() => handlers.reload.mock.calls.length === 1);
	await new Promise((resolve) => setImmediate(resolve));
	expect(handlers.reload).toHaveBeenCalledOnce();
	finish();
	await vi.waitUntil(() => handlers.reload.mock.calls.length === 2);
	await new Promise((resolve) => setImmediate(resolve));
	expect(handlers.reload).toHaveBeenCalledTimes(2);
	source.emit("SIGHUP");
	expect(handlers.reload).toHaveBeenCalledTimes(3);
});
