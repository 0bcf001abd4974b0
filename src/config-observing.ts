/**
 * The sections of the config file about what weir tells of itself and of requests: log, request ids, traces
 * (contract 1). As `config-sections.ts`; put together by `config.ts`.
 */
import { z } from "zod";
import { LIMITS } from "./limits/limits.ts";

const fieldNames = z
	.array(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "no name of a header field"))
	.max(LIMITS.loggedHeaders)
	.default([]);

export const log = z.strictObject({
	destination: z.string().default("stdout").describe("`stdout`, `stderr`, or a file or FIFO."),
	audit: z
		.string()
		.nullable()
		.default(null)
		.describe("Another destination for audit lines; null: they are among the others."),
	access: z
		.boolean()
		.default(false)
		.describe("A line for every request, not only for those whose policy logs."),
	access_destination: z
		.string()
		.nullable()
		.default(null)
		.describe(
			"Another destination for the lines of `access`, which `level` does not hold back there; null: they are among the others.",
		),
	access_format: z
		.enum(["json", "combined"])
		.default("json")
		.describe(
			"`combined` is the format of nginx and Apache, one line of text; it needs `access_destination`, and requests whose policy logs have their JSON line besides.",
		),
	access_query: z
		.boolean()
		.default(false)
		.describe("Whether lines have the query, and that of `referer`: it may hold secrets."),
	access_sample: z
		.number()
		.min(0)
		.max(1)
		.default(1)
		.describe(
			"The share of requests that have a line with `access`. Refusals, errors, requests that were not answered to their end and those whose policy logs always have one.",
		),
	headers: fieldNames.describe(
		"Request fields that lines tell, in `headers`; those that policies read are what `weir replay` needs. Credentials are never told whole: of `authorization` the scheme, of cookies the names.",
	),
	response_headers: fieldNames.describe(
		"Fields of backends' answers that lines tell, in `response_headers`, after the rules; likewise.",
	),
	level: z
		.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
		.default("info")
		.describe("The least severe line that is written."),
});

export const decisions = z.strictObject({
	keep: z
		.int()
		.min(0)
		.max(LIMITS.decisionsKeptMax)
		.default(LIMITS.decisionsKept)
		.describe(
			"Refusals of all workers that are kept for `GET /decisions/{request-id}` and `weir why`, the last ones, in memory.",
		),
});

export const requestId = z.strictObject({
	header: z
		.string()
		.regex(/^[A-Za-z0-9-]{1,64}$/, "no name of a header field")
		.default("x-request-id")
		.describe(
			"The field that names a request. From `trusted_proxies` its value is taken, if it is good; else weir makes one.",
		),
	send: z
		.boolean()
		.default(false)
		.describe(
			"Whether backends and clients get the field, on every answer, in place of their own. Off, it passes as any other does, and log lines alone have weir's.",
		),
});

/** Spans of requests, by OTLP over HTTP (`edge/access/request-spans.ts`). */
export const tracing = z.strictObject({
	endpoint: z
		.string()
		.regex(/^https?:\/\/[^\s]+$/, "no URL of an OTLP receiver, as http://127.0.0.1:4318/v1/traces")
		.nullable()
		.default(null)
		.describe(
			"Where spans go: the URL of an OTLP receiver over HTTP, as `http://127.0.0.1:4318/v1/traces`. null: no tracing; `traceparent` and `tracestate` pass untouched. Needs the package `@opentelemetry/exporter-trace-otlp-http`.",
		),
	sample_ratio: z
		.number()
		.min(0)
		.max(1)
		.default(1)
		.describe(
			"The share of requests that are traced. Where a request from `trusted_proxies` has a `traceparent`, that decides instead.",
		),
	service_name: z
		.string()
		.min(1)
		.max(LIMITS.traceTextCharacters)
		.default("weir")
		.describe("The `service.name` of the spans."),
});
