/**
 * What a start of `weir serve` would still stumble over, or warn of, once its config is sound: the data folder and what
 * is in it, addresses that this machine doesn't have, a database or cipher suites that only the libraries can judge. Each
 * part is asked of the file that does it in earnest. Nothing is made, changed or kept, and a weir that runs with this
 * config is no obstacle: an address that is in use says nothing, as its own workers may have it. Called by
 * process/check/check-config.ts.
 */
import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { openGeo } from "../../edge/geo.ts";
import { certificateNames } from "../../http/tls/certificates.ts";
import { trySuites } from "../../http/tls/secure-app.ts";
import { inspectCountersFile } from "../../limiter/counters-file.ts";
import { hasStore, inspectStore } from "../../store/open.ts";
import { wideRights } from "../supervisor/private-files.ts";
import { unusable } from "./address.ts";
import { sharedNames } from "./address-conflicts.ts";
import { dateWarnings, readDates } from "./certificate-dates.ts";
import type { SettingProblem } from "./config-problem.ts";
import { folderObstacle } from "./data-folder.ts";
import { servedCertificates } from "./served-certificates.ts";

export interface Obstacles {
	readonly mistakes: readonly SettingProblem[];
	/** a start would go on */
	readonly warnings: readonly SettingProblem[];
}

export async function startObstacles(config: Config): Promise<Obstacles> {
	const folder = folderObstacle(config.dataDir);
	const mistakes = [
		...(await sharedNames(config)),
		...(await unusableAddresses(config)),
		...(await unusableCertificates(config)),
		...(await failing("/geo/database", () => openGeo(config.geoDatabase))),
		...(folder === undefined
			? await failing("/data_dir", () => inspectStore(config.dataDir))
			: [{ pointer: "/data_dir", message: folder }]),
	];
	return { mistakes, warnings: warningsOf(config, folder === undefined) };
}

async function unusableAddresses({ listen, management }: Config): Promise<SettingProblem[]> {
	const places = [
		...listen.map((address, index) => ({ address, pointer: `/listen/${index}/address` })),
		{ address: management, pointer: "/management/address" },
	];
	const told = await Promise.all(
		places.map(async ({ address, pointer }) => ({ pointer, message: await unusable(address) })),
	);
	return told.flatMap(({ pointer, message }) =>
		message === undefined ? [] : [{ pointer, message }],
	);
}

/** They fit their keys; but the libraries may still refuse either, or the cipher suites. */
async function unusableCertificates({ tls, ...config }: Config): Promise<SettingProblem[]> {
	const certificates = servedCertificates(config);
	const told = await Promise.all(
		certificates.map(({ pointer, files }) => failing(pointer, () => certificateNames(files))),
	);
	const good = certificates.find((_, index) => told[index]?.length === 0);
	if (good === undefined) return told.flat();
	const suites = await failing("/tls/ciphers", () => trySuites(good.files, tls));
	return [...told.flat(), ...suites];
}

async function failing(pointer: string, attempt: () => unknown): Promise<SettingProblem[]> {
	try {
		await attempt();
		return [];
	} catch (error) {
		// An error that a worker would tell begins with the setting.
		const message = (error as Error).message.replace(`${pointer.slice(1)}: `, "");
		return [{ pointer, message }];
	}
}

function warningsOf(config: Config, isFolderUsable: boolean): SettingProblem[] {
	const { dataDir, countersFile } = config;
	const warnings = dateWarnings(readDates(config));
	if (isFolderUsable && !hasStore(dataDir))
		warnings.push({
			pointer: "/data_dir",
			message: `there is no store in ${dataDir}; the start makes a new, empty one`,
		});
	for (const message of isFolderUsable ? wideRights(dataDir) : [])
		warnings.push({ pointer: "/data_dir", message });
	const isBeside = dirname(countersFile) === dataDir;
	for (const message of isFolderUsable || !isBeside
		? inspectCountersFile(countersFile, dataDir)
		: [])
		warnings.push({ pointer: "/counters/file", message });
	return warnings;
}
