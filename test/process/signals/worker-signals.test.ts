/** A worker leaves when told to, opens its log again, and survives what is meant for the supervisor. */
import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { WorkerSignals } from "../../../src/process/signals/worker-signals.ts";

const orders = () => ({ leave: vi.fn(), reopenLog: vi.fn() });

it("obeys what a worker is to obey, and ends by no other signal", () => {
	const source = new EventEmitter();
	const given = orders();
	new WorkerSignals(source).obey(given);
	for (const signal of ["SIGINT", "SIGHUP", "SIGUSR2", "SIGALRM"])
		expect(source.emit(signal)).toBe(true);
	expect(given.leave).not.toHaveBeenCalled();
	source.emit("SIGUSR1");
	expect(given.reopenLog).toHaveBeenCalledOnce();
	source.emit("SIGTERM");
	source.emit("SIGQUIT");
	expect(given.leave).toHaveBeenCalledTimes(2);
});

it("leaves as soon as it can when told so while it loads", () => {
	const source = new EventEmitter();
	const signals = new WorkerSignals(source);
	source.emit("SIGUSR1");
	source.emit("SIGQUIT");
	const given = orders();
	signals.obey(given);
	expect(given.leave).toHaveBeenCalledOnce();
	expect(given.reopenLog).not.toHaveBeenCalled();
});
