/** Everything said goes to the log that is current when it is said. */
import { expect, it, vi } from "vitest";
import { ReplaceableLog } from "../../../src/process/log/replaceable-log.ts";
import type { AuditLog, Log } from "../../../src/telemetry/log.ts";
import { lineSaying, messageOf } from "../../telemetry/encoded.ts";

function recorded() {
	const lines: string[] = [];
	const note = (level: string) => (_fields: object, message: string) =>
		void lines.push(`${level} ${message}`);
	const log: Log & AuditLog = {
		audit: (fields) => note("audit")(fields, Object.keys(fields).join()),
		info: note("info"),
		encoded: (line) => note("encoded")({}, messageOf(line)),
		warn: note("warn"),
		error: note("error"),
		flush: vi.fn(async () => {}),
		close: vi.fn(async () => {}),
		reopen: vi.fn(),
	};
	return { log, lines };
}

it("passes everything on, to the newest", async () => {
	const first = recorded();
	const second = recorded();
	const log = new ReplaceableLog(first.log);
	log.info({}, "b");
	log.warn({}, "c");
	log.error({}, "d");
	log.audit({ x: 1 });
	log.encoded(lineSaying("y"));
	log.replace(second.log);
	expect(first.log.close).toHaveBeenCalledOnce();
	log.info({}, "e");
	log.reopen();
	await log.flush(5);
	await log.close(6);
	expect(first.lines).toEqual(["info b", "warn c", "error d", "audit x", "encoded y"]);
	expect(second.lines).toEqual(["info e"]);
	expect(second.log.reopen).toHaveBeenCalledOnce();
	expect(second.log.flush).toHaveBeenCalledWith(5);
	expect(second.log.close).toHaveBeenCalledWith(6);
});
