/** Who asks a worker gets its answer, or what stands for it: after a while, or when the worker is dead. */
import { expect, it, vi } from "vitest";
import { AwaitedAnswers } from "../../../src/process/supervisor/awaited-answers.ts";

it("answers each question once, by its number", async () => {
	const awaited = new AwaitedAnswers<string>();
	const [one, two] = [1, 2].map((id) => awaited.wait(id, 60_000, () => "late"));
	awaited.answered(2, "two");
	awaited.answered(9, "nobody asked");
	expect(await two).toBe("two");
	awaited.answerAll("dead");
	expect(await one).toBe("dead");
});

it("tells something else after a while", async () => {
	vi.useFakeTimers();
	try {
		const asked = new AwaitedAnswers<string>().wait(1, 1000, () => "late");
		vi.advanceTimersByTime(1000);
		expect(await asked).toBe("late");
	} finally {
		vi.useRealTimers();
	}
});
