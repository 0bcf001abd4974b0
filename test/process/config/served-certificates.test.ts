/** Every certificate that clients are shown, with its place and its address. */
import { expect, it } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { fleetSettings } from "../../../src/process/config/fleet-settings.ts";
import { servedCertificates } from "../../../src/process/config/served-certificates.ts";
import { listenerWith } from "../../listener.ts";

const never = (): never => {
	throw new Error("no fleet");
};

it("lists them by listener", () => {
	const [a, b] = ["a", "b"].map((name) => ({ cert: `${name}.crt`, key: `${name}.key` }));
	if (a === undefined || b === undefined) throw new Error("no files");
	const listen = [listenerWith(), listenerWith({ host: "::1", port: 2, tls: [a, b] })];
	const management = { host: "localhost", port: 3, hosts: [], ui: true, tls: [b] };
	const fleet = fleetSettings(
		configSchema.parse({
			fleet: { name: "prod", servers: ["tls://e:1"], tls: { cert: "c.crt", key: "c.key" } },
		}).fleet ?? never(),
		(path) => `/${path}`,
	);
	expect(servedCertificates({ listen, management, fleet })).toEqual([
		{ pointer: "/listen/1/tls/0", listener: "[::1]:2", files: a },
		{ pointer: "/listen/1/tls/1", listener: "[::1]:2", files: b },
		{ pointer: "/management/tls", listener: "localhost:3", files: b },
		{ pointer: "/fleet/tls", listener: "fleet prod", files: { cert: "/c.crt", key: "/c.key" } },
	]);
});
