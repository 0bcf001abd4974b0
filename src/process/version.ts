/** Weir's version, of the package that this file belongs to. For `weir --version` and the line that says that weir is ready. */
import { readFileSync } from "node:fs";

export function versionOf(packageFile = new URL("../../package.json", import.meta.url)): string {
	return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}
