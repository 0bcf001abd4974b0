import { expect, it } from "vitest";
import { LeavingWorkers } from "../../../src/process/supervisor/leaving-workers.ts";
import { recordedLog } from "../recorded-log.ts";

/** A worker that ends when it is told, or hurried. */
function leavingWorker() {
	let end: () => void = () => {};
	const gone = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { end, drain: () => gone, hurry: end };
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
