/** How a fleet's things are called at the engine. */
import { expect, it } from "vitest";
import { inboxOf, namesOf, placeOf } from "../../../../src/fleet/log/nats/settings.ts";

it("names streams and subjects after the fleet", () => {
	const names = namesOf({ fleet: "prod-eu", domain: null });
	expect(names).toMatchObject({
		log: "WEIR_PROD-EU_LOG",
		seen: "WEIR_PROD-EU_SEEN",
		snapshots: "OBJ_WEIR_PROD-EU_SNAPSHOTS",
		bucket: "WEIR_PROD-EU_SNAPSHOTS",
		append: "weir.prod-eu.log",
		live: "weir.prod-eu.live",
		api: "$JS.API",
	});
	expect(names.status("m_1")).toBe("weir.prod-eu.seen.m_1");
	expect(namesOf({ fleet: "a", domain: "hub" }).api).toBe("$JS.hub.API");
});

it("makes one part of a subject of a machine's name", () => {
	expect(inboxOf("ams-1")).toBe("_INBOX.weir.ams-1");
	expect(inboxOf("ams.1 *>")).toBe("_INBOX.weir.ams_1___");
});

it("tells servers without their scheme", () => {
	expect(placeOf("tls://nats-1:4222")).toBe("nats-1:4222");
});
