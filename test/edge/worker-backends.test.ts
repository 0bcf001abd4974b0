/** What a worker hands to each backend's upstream, and what becomes of what that tells. */
import { expect, it, vi } from "vitest";
import { UpstreamLog } from "../../src/edge/proxying/upstream-log.ts";
import { BodyMemory } from "../../src/edge/slow/body-memory.ts";
import { workerBackends } from "../../src/edge/worker-backends.ts";
import type { Log } from "../../src/telemetry/log.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { WorkerTraffic } from "../../src/telemetry/traffic/worker-traffic.ts";
import type { UpstreamOptions } from "../../src/upstream/upstream.ts";
import { NO_CALL, NO_LOAD } from "../upstream/idle.ts";
import { configOf } from "./harness.ts";

const scene = () => {
	const made: UpstreamOptions[] = [];
	const metrics = new Metrics();
	const traffic = new WorkerTraffic();
	const warn = vi.fn();
	const { timeouts } = configOf();
	const config = configOf({
		timeouts: { ...timeouts, upstreamConnectMs: 11, upstreamResponseMs: 12, idleMs: 13 },
	});
	const call = { ...NO_CALL, resume() {}, abort() {} };
	const backends = workerBackends(
		{
			config,
			metrics,
			upstreamFactory: (_document, options) => {
				made.push(options);
				return { ...NO_LOAD, send: () => call, close: () => Promise.resolve() };
			},
		},
		new BodyMemory(1),
		{ upstreamLog: new UpstreamLog({ warn } as unknown as Log), traffic },
	);
	return { backends, made, metrics, traffic, warn };
};

it("hands on the configuration's times, and counts and logs attempts that fail", () => {
	const { backends, made, metrics, traffic, warn } = scene();
	backends.acquire({ urls: ["http://a"] });
	const [options] = made;
	expect(options).toMatchObject({
		connectTimeoutMs: 11,
		responseTimeoutMs: 12,
		idleTimeoutMs: 13,
	});
	options?.onAttemptFailed("timeout", "http://a", "no answer");
	options?.onAttemptFailed("connect", "http://a", "refused");
	options?.onRetry();
	expect(metrics.snapshot()).toMatchObject({
		'weir_upstream_errors_total{reason="timeout"}': 1,
		'weir_upstream_errors_total{reason="connect"}': 1,
		weir_upstream_retries_total: 1,
	});
	expect(traffic.take().backends).toMatchObject([
		{ address: "http://a", failures: { timeout: 1, connect: 1 } },
	]);
	expect(warn).toHaveBeenCalledTimes(2);
});

it("says of which backend nobody looks at the certificate", () => {
	const { backends, warn } = scene();
	backends.acquire({ urls: ["https://a"], tls: { verify: true } });
	expect(warn).not.toHaveBeenCalled();
	backends.acquire({ urls: ["https://b"], tls: { verify: false } });
	expect(warn).toHaveBeenCalledWith(
		{ backend: ["https://b"] },
		"a backend's certificate is not verified",
	);
});
