/** The example files in deploy/fleet, for tests that start servers with them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DEPLOY = join(import.meta.dirname, "..", "..", "..", "deploy", "fleet");

/** A file of deploy/fleet, with its places moved into a folder. @param places what else stands elsewhere */
export function moved(
	folder: string,
	name: string,
	places: Readonly<Record<string, string>>,
): string {
	let config = readFileSync(join(DEPLOY, name), "utf8")
		.replaceAll("/var/lib/nats", join(folder, "js"))
		.replaceAll("/etc/nats/", `${folder}/`);
	for (const [from, to] of Object.entries(places)) config = config.replaceAll(from, to);
	return config;
}
