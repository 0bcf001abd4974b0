/** Real processes: one that computes, one that waits, one that is stopped, none. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sampleProcess } from "../../../src/process/supervisor/process-sample.ts";

const children: ChildProcess[] = [];
afterEach(async () => {
	for (const child of children.splice(0)) {
		child.kill("SIGKILL");
		await once(child, "exit");
	}
});
function run(program: string): number {
	const child = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
	children.push(child);
	return child.pid ?? 0;
}

describe.runIf(process.platform === "linux")("sampleProcess", () => {
	it("sees the processor time of one that computes grow", async () => {
		const pid = run("for (;;);");
		const first = sampleProcess(pid)?.cpuMs ?? Number.NaN;
		await vi.waitUntil(() => (sampleProcess(pid)?.cpuMs ?? 0) >= first + 300, { timeout: 10_000 });
		await vi.waitUntil(() => sampleProcess(pid)?.state === "R", { timeout: 10_000 });
	});

	it("tells one that waits from one that is stopped", async () => {
		const pid = run(
			"process.title = 'a) S 1 (b'; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
		);
		let before = -1;
		await vi.waitUntil(
			() => {
				const { state, cpuMs } = sampleProcess(pid) ?? { state: "", cpuMs: 0 };
				const rests = state === "S" && cpuMs > 0 && cpuMs === before;
				before = cpuMs;
				return rests;
			},
			{ timeout: 10_000 },
		);
		process.kill(pid, "SIGSTOP");
		await vi.waitUntil(() => sampleProcess(pid)?.state === "T", { timeout: 10_000 });
	});
});

it("knows nothing of a process that is not there", () => {
	expect(sampleProcess(undefined)).toBeUndefined();
	expect(sampleProcess(2 ** 30)).toBeUndefined();
});
