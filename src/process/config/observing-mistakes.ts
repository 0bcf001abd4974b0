/**
 * Mistakes in what the configuration says of the access log, request ids and traces, and settings of them without
 * effect. Called by `config-mistakes.ts`.
 */
import type { Config, ConfigFile } from "../../config.ts";
import { isOwn } from "../../http/fields.ts";
import { traceExporterVersion } from "../../telemetry/traces/otlp.ts";
import type { SettingProblem } from "./config-problem.ts";

type Observing = Pick<Config, "log" | "requestId" | "tracing">;

/** @param exporter of spans, as it is installed */
export const observingMistakes = (
	{ log, requestId, tracing }: Observing,
	exporter = traceExporterVersion,
): SettingProblem[] => [
	...(log.accessFormat === "combined" && log.accessDestination === null
		? [COMBINED_AMONG_JSON]
		: []),
	...(requestId.send && isTaken(requestId.header) ? [takenName(requestId.header)] : []),
	...(tracing.endpoint === null ? [] : tracingMistakes(tracing.endpoint, exporter())),
];

const COMBINED_AMONG_JSON: SettingProblem = {
	pointer: "/log/access_format",
	message:
		"combined lines are no JSON, as the other lines of the log are; name a file for them in log.access_destination",
};

/** Fields that mean something else, which a request id would break. */
const MEANT_OTHERWISE: ReadonlySet<string> = new Set(
	"host via date server location authorization cookie set-cookie etag vary range accept origin referer user-agent traceparent tracestate".split(
		" ",
	),
);

const isTaken = (header: string): boolean =>
	isOwn(header) ||
	MEANT_OTHERWISE.has(header) ||
	/^(?:content|access-control|if|sec|accept|cache|www|proxy)(?:-|$)/.test(header);

const takenName = (header: string): SettingProblem => ({
	pointer: "/request_id/header",
	message: `"${header}" means something else in HTTP; take a name such as x-request-id`,
});

function tracingMistakes(
	endpoint: string,
	{ name, wanted, installed }: ReturnType<typeof traceExporterVersion>,
): SettingProblem[] {
	const pointer = "/tracing/endpoint";
	if (!URL.canParse(endpoint)) {
		const message = `"${endpoint}" is no URL; write e.g. http://127.0.0.1:4318/v1/traces`;
		return [{ pointer, message }];
	}
	if (installed) return [];
	const message = `spans are sent by the package ${name}, which is not installed; where weir is installed run: npm install ${name}@${wanted} (with -g if weir was installed with it)`;
	return [{ pointer, message }];
}

/** A setting must not be ignored in silence. */
export function observingWithoutEffect({ log }: Pick<ConfigFile, "log">): SettingProblem[] {
	if (log.access) return [];
	const given = [
		log.access_destination !== null && "access_destination",
		log.access_format !== "json" && "access_format",
		log.access_sample !== 1 && "access_sample",
	];
	return given
		.filter((field) => field !== false)
		.map((field) => ({
			pointer: `/log/${field}`,
			message:
				"has no effect: log.access is false, so that only requests whose policy logs have a line",
		}));
}
