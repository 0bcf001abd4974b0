/**
 * nginx as a program of the tests: behind weir it serves files (`file-servers.ts`), before weir it is a proxy
 * (`peers.test.ts`). One process, on free ports, with nothing outside of its folder.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT, ended, listens } from "./programs.ts";

export interface Nginx {
	close(): Promise<void>;
}

/** Where Debian puts the module that passes TCP on (`libnginx-mod-stream`). */
export const STREAM_MODULE = "/usr/lib/nginx/modules/ngx_stream_module.so";

/** @param without what is left out without it, a sentence's end */
export function hasStreamModule(without: string): boolean {
	if (existsSync(STREAM_MODULE)) return true;
	console.warn(`nginx's stream module is not installed (libnginx-mod-stream): ${without}`);
	return false;
}

/**
 * @param folder its own, for what it writes; removed with it
 * @param http the block of that name @param main beside it @param modules files to load
 */
export async function startNginx(
	folder: string,
	ports: readonly number[],
	http: string,
	main = "",
	modules: readonly string[] = [],
): Promise<Nginx> {
	mkdirSync(folder, { recursive: true });
	const config = join(folder, "nginx.conf");
	const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((name) => `${name}_temp_path ${join(folder, name)};`)
		.join(" ");
	writeFileSync(
		config,
		`${modules.map((module) => `load_module ${module};\n`).join("")}daemon off; master_process off;
		pid ${join(folder, "pid")}; error_log ${join(folder, "error.log")};
		events { worker_connections 256; }
		http { access_log off; ${places} ${http} }
		${main}`,
	);
	const child = spawn("nginx", ["-p", folder, "-c", config], {
		env: ENVIRONMENT,
		stdio: ["ignore", "ignore", "pipe"],
	});
	await listens("nginx", child, ports);
	return {
		close: async () => {
			await ended(child);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
