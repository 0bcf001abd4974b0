/** Lines that are written already (`JsonLine`): made, and read again. */
import { JsonLine } from "../../src/telemetry/json-bytes.ts";
import type { Log } from "../../src/telemetry/log.ts";

export const textOf = ({ bytes, length }: Pick<JsonLine, "bytes" | "length">): string =>
	bytes.toString("utf8", 0, length);

/** A line that says nothing else. */
export function lineSaying(message: string): JsonLine {
	const line = new JsonLine();
	line.begin(7, 0);
	line.end(message);
	return line;
}

export const messageOf = (line: JsonLine): string =>
	(JSON.parse(textOf(line)) as { msg: string }).msg;

/** Says what `info` would have been told. */
export const decodedBy =
	(info: Log["info"]): Log["encoded"] =>
	(line) => {
		const { level: _level, time: _time, pid: _pid, msg, ...fields } = JSON.parse(textOf(line));
		info(fields, msg);
	};
