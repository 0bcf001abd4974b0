import { expect, it } from "vitest";
import { LeavingWorkers } from "../../../src/process/supervisor/leaving-workers.ts";
import { recordedLog } from "../recorded-log.ts";

/** A worker that ends when it is told, or hurried. */
function leavingWorker(state = "listening") {
	let end: () => void = () => {};
	const gone = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { end, drain: () => gone, hurry: end, discard: end, state };
}

it("says when replaced workers have ended", async () => {
	const { log, lines } = recordedLog();
	const leaving = new LeavingWorkers(log, 1);
	const [one, other] = [leavingWorker(), leavingWorker()];
	leaving.drain([one, other], 0);
	leaving.drain([], 0);
	one.end();
	other.end();
	await leaving.room(10_000);
	expect(lines.map(({ message }) => message)).toEqual(["replaced workers have ended"]);
});

it("makes room by waiting, and where that is in vain by ending the oldest", async () => {
	const { log, lines } = recordedLog();
	const leaving = new LeavingWorkers(log, 2);
	const [oldest, newer] = [leavingWorker(), leavingWorker()];
	leaving.drain([oldest], 0);
	await leaving.room(10_000);
	leaving.drain([newer], 0);
	const waited = leaving.room(10_000);
	newer.end();
	await waited;
	leaving.drain([leavingWorker()], 0);
	await leaving.room(1);
	expect(lines.map(({ message }) => message)).toEqual([
		"replaced workers have ended",
		"too many generations of workers finish what they began: the oldest is ended",
		"replaced workers have ended",
	]);
});

it("of a reload that failed, those that serve finish what they have begun", async () => {
	const { log } = recordedLog();
	const leaving = new LeavingWorkers(log, 1);
	const calls: string[] = [];
	const worker = (state: string) => ({
		...leavingWorker(state),
		drain: async (timeoutMs: number) => void calls.push(`${state} drained in ${timeoutMs}`),
		discard: () => calls.push(`${state} discarded`),
	});
	leaving.giveUp([worker("loading"), worker("listening"), worker("loaded")], 7);
	await leaving.room(10_000);
	expect(calls).toEqual(["loading discarded", "loaded discarded", "listening drained in 7"]);
});
