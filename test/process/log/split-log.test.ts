/** Audit lines go to the one log, all others to the other; what is done to the log is done to both. */
import { expect, it, vi } from "vitest";
import { SplitLog } from "../../../src/process/log/split-log.ts";
import { recordedLog } from "../recorded-log.ts";

it("keeps audit lines apart", () => {
	const [main, audit] = [recordedLog(), recordedLog()];
	const log = new SplitLog(main.log, audit.log);
	log.info({}, "a");
	log.warn({}, "b");
	log.error({}, "c");
	log.audit({ operation: "putEdge" });
	expect(main.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
		"info a",
		"warn b",
		"error c",
	]);
	expect(audit.lines).toEqual([
		{ level: "audit", fields: { operation: "putEdge" }, message: "audit" },
	]);
});

it("flushes, closes and opens both again, also where the first can't be opened", async () => {
	const [main, audit] = [recordedLog(), recordedLog()];
	const spies = [main, audit].flatMap(({ log }) => [
		vi.spyOn(log, "flush"),
		vi.spyOn(log, "close"),
		vi.spyOn(log, "reopen"),
	]);
	const log = new SplitLog(main.log, audit.log);
	await log.flush(5);
	await log.close(5);
	log.reopen();
	for (const spy of spies) expect(spy).toHaveBeenCalledOnce();
	vi.spyOn(main.log, "reopen").mockImplementation(() => {
		throw new Error("no such folder");
	});
	expect(() => log.reopen()).toThrow("no such folder");
	expect(audit.log.reopen).toHaveBeenCalledTimes(2);
});
