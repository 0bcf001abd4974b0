/** What a worker tells once a second, when it tells it, and that nothing of it is told twice or left out. */
import { expect, it } from "vitest";
import type { ToSupervisor } from "../../../src/process/messages.ts";
import { LiveReporter } from "../../../src/process/worker/live-reporter.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

function scene() {
	const said: ToSupervisor[] = [];
	const traffic = new WorkerTraffic();
	let refusals = 0;
	let stood = 0;
	const edge = {
		/** What the front has refused by itself since it was last asked. */
		collect: () => {
			traffic.stood({ edgeId: "e", routeId: "r", row: -1 }, 403, stood);
			stood = 0;
		},
		takeLive: () => ({ inFlight: 2, refused: [], candidates: [], refusals: refusals++ }),
	};
	const reporter = new LiveReporter(
		() => edge,
		traffic,
		(message) => said.push(message),
	);
	const refuse = (times: number): void => {
		stood += times;
	};
	return { said, reporter, refuse };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const answered = (message: ToSupervisor | undefined): number => {
	if (message?.type !== "live") throw new Error("no such message");
	const { counts } = message.traffic.durations.answered;
	return counts.filter((_, at) => at % 2 === 1).reduce((sum, count) => sum + count, 0);
};

it("tells in later turns, with all that has come by then, each once", async () => {
	const { said, reporter, refuse } = scene();
	refuse(3);
	reporter.tellSoon(-1);
	await turn();
	expect(said).toEqual([]);
	refuse(4);
	await expect.poll(() => said.length).toBe(1);
	expect(said).toMatchObject([{ type: "live", id: -1, report: { inFlight: 2, refusals: 0 } }]);
	expect(answered(said[0])).toBe(7);
	reporter.tellSoon(-2);
	await expect.poll(() => said.length).toBe(2);
	expect(said[1]).toMatchObject({ id: -2, report: { refusals: 1 } });
	expect(answered(said[1])).toBe(0);
});

it("tells what it was about to before it tells anything else", async () => {
	for (const turns of [0, 1, 2]) {
		const { said, reporter, refuse } = scene();
		refuse(3);
		reporter.tellSoon(-1);
		for (let each = 0; each < turns; each++) await turn();
		refuse(2);
		reporter.tell(0);
		expect(said.map((message) => "id" in message && message.id)).toEqual([-1, 0]);
		expect(answered(said[0]) + answered(said[1])).toBe(5);
		expect(said).toMatchObject([{ report: { refusals: 0 } }, { report: { refusals: 1 } }]);
		reporter.tellSoon(-2);
		reporter.tellSoon(-3);
		await expect.poll(() => said.length).toBe(4);
		await turn();
		expect(said.length).toBe(4);
	}
});

it("tells at once where there is no later", () => {
	const { said, reporter, refuse } = scene();
	refuse(5);
	reporter.tell(0);
	expect(said).toMatchObject([{ type: "live", id: 0 }]);
	expect(answered(said[0])).toBe(5);
});

it("says how much memory it has, and how much of a processor it took since it was last asked", () => {
	const { said, reporter } = scene();
	const until = performance.now() + 20;
	while (performance.now() < until);
	reporter.tell(1);
	const [message] = said;
	if (message?.type !== "live") throw new Error("no such message");
	expect(message.report.cpu).toBeGreaterThan(0);
	expect(message.report.rssBytes).toBeGreaterThan(1_000_000);
});
