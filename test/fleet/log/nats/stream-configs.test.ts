/** The streams' settings, and how a server's answer is held against them. */
import { describe, expect, it } from "vitest";
import { namesOf } from "../../../../src/fleet/log/nats/settings.ts";
import {
	differences,
	incarnationOf,
	logConfig,
	seenConfig,
	snapshotsConfig,
} from "../../../../src/fleet/log/nats/stream-configs.ts";

const names = namesOf({ fleet: "prod", domain: null });
const log = logConfig(names, { incarnation: "abc.1", replicas: 3, maxBytes: 1000 });

describe("a fleet's streams", () => {
	it("keep records as nothing else, and refuse when they are full", () => {
		expect(log).toMatchObject({
			name: "WEIR_PROD_LOG",
			discard: "new",
			max_bytes: 1000,
			deny_delete: true,
			num_replicas: 3,
			republish: { src: "weir.prod.log", dest: "weir.prod.live" },
		});
		expect(seenConfig(names, 1)).toMatchObject({ storage: "memory", max_msgs_per_subject: 1 });
		expect(snapshotsConfig(names, 1)).toMatchObject({ allow_rollup_hdrs: true, storage: "file" });
	});

	it("tell the log's incarnation", () => {
		expect(incarnationOf(log)).toBe("abc.1");
		expect(incarnationOf({ description: "somebody's stream" })).toBe("");
		expect(incarnationOf({})).toBe("");
	});
});

describe("a server's answer", () => {
	it("may say more, and leave out what is nothing", () => {
		const { deny_purge: _, max_age: __, ...told } = log;
		expect(differences(log, { ...told, max_consumers: -1, metadata: {} })).toEqual([]);
	});

	it("is told of where it differs, or lacks something", () => {
		const { republish: _, ...without } = log;
		expect(differences(log, { ...without, num_replicas: 1 })).toEqual([
			"num_replicas is 1, not 3",
			'republish is null, not {"src":"weir.prod.log","dest":"weir.prod.live"}',
		]);
	});
});
