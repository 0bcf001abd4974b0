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
		around: { tls: false, geo: false, clientPort: true },
	});
	const listen = [
		listenerWith({ tls: [{ cert: "c", key: "k" }] }),
		listenerWith({ proxyProtocol: true }),
	];
	const limits = { ...config.limits, rules: 7 };
	const other = { ...config, limits, geoDatabase: "g.mmdb", front: "off" } as const;
	expect(policyOptions({ ...other, listen })).toEqual({
		rulesPerPhase: 7,
		around: { tls: true, geo: true, clientPort: true },
	});
	expect(policyOptions(other).around?.clientPort).toBe(false);
});
