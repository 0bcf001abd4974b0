/** What of a configuration policies are judged by. */
import { expect, it } from "vitest";
import { NO_FILE } from "../../../src/process/config/config-file.ts";
import { judgeConfig } from "../../../src/process/config/load-config.ts";
import { policyOptions } from "../../../src/process/config/policy-options.ts";
import { listenerWith } from "../../listener.ts";

it("names bounds and surroundings", () => {
	const { config } = judgeConfig(NO_FILE, { flags: {}, environment: {}, workingDirectory: "/" });
	expect(policyOptions(config)).toEqual({
		rulesPerPhase: 500,
		running: { expressionErrors: "reject", ipv6Prefix: 64 },
		around: { tls: false, clientHellos: false, geo: false, clientPort: true },
	});
	const listen = [
		listenerWith({ tls: [{ cert: "c", key: "k" }] }),
		listenerWith({ proxyProtocol: true }),
	];
	const limits = { ...config.limits, rules: 7 };
	const other = {
		...config,
		limits,
		geoDatabase: "g.mmdb",
		front: "off",
		expressionErrors: "skip",
	} as const;
	expect(policyOptions({ ...other, listen })).toEqual({
		rulesPerPhase: 7,
		running: { expressionErrors: "skip", ipv6Prefix: 64 },
		around: { tls: true, clientHellos: false, geo: true, clientPort: true },
	});
	expect(policyOptions({ ...config, listen }).around?.clientHellos).toBe(true);
	expect(policyOptions(other).around?.clientPort).toBe(false);
});
