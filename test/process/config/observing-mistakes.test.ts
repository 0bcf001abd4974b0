/** Mistakes in log, request ids and traces: each is named with what to do, and good settings have none. */
import { expect, it } from "vitest";
import { configSchema } from "../../../src/config.ts";
import {
	observingMistakes,
	observingWithoutEffect,
} from "../../../src/process/config/observing-mistakes.ts";
import { logSettings, requestIdSettings, tracingSettings } from "../../observing.ts";

const observing = (changes: Partial<Parameters<typeof observingMistakes>[0]>) => ({
	log: logSettings(),
	requestId: requestIdSettings(),
	tracing: tracingSettings(),
	...changes,
});

it("are none of what is right", () => {
	for (const changes of [
		{},
		{ log: logSettings({ accessFormat: "combined", accessDestination: "/a" }) },
		{ requestId: requestIdSettings({ send: true }) },
		{ requestId: requestIdSettings({ send: true, header: "x-correlation-id" }) },
		{ tracing: tracingSettings({ endpoint: "https://collector.example/v1/traces" }) },
	]) {
		expect(observingMistakes(observing(changes))).toEqual([]);
	}
});

it("are combined lines among JSON", () => {
	const log = logSettings({ access: true, accessFormat: "combined" });
	expect(observingMistakes(observing({ log }))).toEqual([
		{ pointer: "/log/access_format", message: expect.stringMatching(/log\.access_destination/) },
	]);
});

it("are names that mean something else", () => {
	for (const header of [
		...["host", "connection", "content-length", "content-type", "cookie", "set-cookie", "via"],
		...["x-forwarded-for", "authorization", "traceparent", "access-control-allow-origin", "te"],
	]) {
		const requestId = requestIdSettings({ send: true, header });
		expect(observingMistakes(observing({ requestId }))).toEqual([
			{ pointer: "/request_id/header", message: expect.stringContaining(`"${header}"`) },
		]);
	}
});

it("are a collector that is no URL, and the package that is not installed", () => {
	const bad = observing({ tracing: tracingSettings({ endpoint: "http://[" }) });
	expect(observingMistakes(bad)[0]?.message).toMatch(/is no URL; write e\.g\./);
	const missing = observing({ tracing: tracingSettings({ endpoint: "http://c/v1/traces" }) });
	const exporter = () => ({ name: "@a/b", wanted: "1.2.3", installed: false });
	expect(observingMistakes(missing, exporter)).toEqual([
		{
			pointer: "/tracing/endpoint",
			message: expect.stringMatching(/not installed.*npm install @a\/b@1\.2\.3/),
		},
	]);
});

it("are settings of access lines where there are none", () => {
	const file = (log: object) => configSchema.parse({ log });
	const pointers = (log: object) => observingWithoutEffect(file(log)).map(({ pointer }) => pointer);
	expect(pointers({})).toEqual([]);
	expect(pointers({ access: true, access_sample: 0.1 })).toEqual([]);
	expect(
		pointers({ access_destination: "/a", access_format: "combined", access_sample: 0.5 }),
	).toEqual(["/log/access_destination", "/log/access_format", "/log/access_sample"]);
});
