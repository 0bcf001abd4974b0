// Tries deploy/container/Containerfile where no container engine is: runs each instruction of its stages in a root of
// its own, then the image as engines run it: PID 1, its own network, not root, no capabilities, nothing to write to but
// the volume. The build's root has this machine's /usr, so its compilers and its Node; the image's root has Node, a
// shell, four commands and their libraries, and what is copied. Linux, as root; needs the npm registry, or npm's cache.
// Takes a minute or two, twenty at most. Called by .ci/run.
// usage: node scripts/container-check.mjs         the last line is "N passed, N failed"
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { healthCommandOf, ignores, lastOf, stagesOf, wordsOf } from "./container/containerfile.mjs";

const MINUTES = 20;
const KEY = "container-check";

if (process.env.WEIR_CHECK_SCRATCH === undefined) {
	// In mounts of its own, which end with it.
	const scratch = fs.mkdtempSync(join(tmpdir(), "weir-container-"));
	const words = ["--mount", "--propagation", "private", process.execPath, import.meta.filename];
	const { status, error } = spawnSync("unshare", words, {
		stdio: "inherit",
		env: { ...process.env, WEIR_CHECK_SCRATCH: scratch },
		timeout: MINUTES * 60_000,
	});
	fs.rmSync(scratch, { recursive: true, force: true });
	if (error !== undefined) process.stdout.write(`${error.message}\n0 passed, 1 failed\n`);
	process.exit(status ?? 1);
}

const scratch = process.env.WEIR_CHECK_SCRATCH;
const context = join(import.meta.dirname, "..");
const file = join(context, "deploy", "container", "Containerfile");
const stages = stagesOf(fs.readFileSync(file, "utf8"));
/** @param {number} index */
const stageAt = (index) => {
	const stage = stages[index];
	assert.ok(stage !== undefined && stages.length === 2, "the Containerfile has two stages");
	return stage;
};
const [build, image] = [stageAt(0), stageAt(1)];

/** @param {string} command @param {readonly string[]} words */
const must = (command, ...words) => execFileSync(command, words, { encoding: "utf8" });

/** @param {string} name */
const configured = (name) => must("npm", "config", "get", name).trim();
const environment = {
	PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	HOME: "/root",
	npm_config_registry: configured("registry"),
	npm_config_prefer_offline: "true",
};

/** @param {string} root @param {string} path @param {string} [type] */
function mountPoint(root, path, type = "folder") {
	const place = join(root, path);
	fs.mkdirSync(type === "folder" ? place : dirname(place), { recursive: true });
	if (type !== "folder") fs.writeFileSync(place, "");
	return place;
}

/** What every root has. @param {string} root */
function furnish(root) {
	for (const name of ["bin", "sbin", "lib", "lib64"]) {
		mountPoint(root, `usr/${name}`);
		fs.symlinkSync(`usr/${name}`, join(root, name));
	}
	fs.mkdirSync(join(root, "tmp"), { mode: 0o1777 });
	for (const path of ["proc", "etc", "opt", "root", "var/lib"]) mountPoint(root, path);
	for (const name of ["null", "zero", "random", "urandom"])
		must("mount", "--bind", `/dev/${name}`, mountPoint(root, `dev/${name}`, "file"));
	must("mount", "-t", "tmpfs", "tmpfs", mountPoint(root, "dev/shm"));
	const users = "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n";
	fs.writeFileSync(join(root, "etc/passwd"), users);
	fs.writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
	fs.writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n");
}

/** This machine's /usr, which may be written to and is as before afterwards. @returns {string} */
function buildRoot() {
	const root = join(scratch, "build");
	fs.mkdirSync(root);
	const written = mountPoint(scratch, "written");
	must("mount", "-t", "tmpfs", "tmpfs", written);
	const [upper, work] = ["upper", "work"].map((name) => mountPoint(written, name));
	const layers = `lowerdir=/usr,upperdir=${upper},workdir=${work}`;
	must("mount", "-t", "overlay", "overlay", "-o", layers, mountPoint(root, "usr"));
	furnish(root);
	for (const name of ["alternatives", "ssl", "ca-certificates", "resolv.conf", "nsswitch.conf"]) {
		const from = join("/etc", name);
		if (!fs.existsSync(from)) continue;
		if (fs.statSync(from).isFile()) fs.copyFileSync(from, join(root, "etc", name));
		else fs.cpSync(from, join(root, "etc", name), { recursive: true, verbatimSymlinks: true });
	}
	must("mount", "-t", "proc", "proc", join(root, "proc"));
	must("mount", "--bind", configured("cache"), mountPoint(root, "root/.npm"));
	return root;
}

/** Node, a shell and what the image's own commands are, with their libraries. @returns {string} */
function imageRoot() {
	const root = join(scratch, "image");
	fs.mkdirSync(root);
	furnish(root);
	const programs = { node: process.execPath };
	for (const name of ["sh", "rm", "mkdir", "install", "sleep", "setpriv"]) {
		Object.assign(programs, { [name]: must("which", name).trim() });
	}
	for (const [name, path] of Object.entries(programs)) {
		fs.copyFileSync(fs.realpathSync(path), join(root, "usr/bin", name));
		for (const [library] of must("ldd", path).matchAll(/\/\S+(?= \(0x)/g)) {
			const place = mountPoint(root, library.replace(/^\/usr/, "").replace(/^\//, "usr/"), "file");
			fs.copyFileSync(fs.realpathSync(library), place);
			fs.chmodSync(place, 0o755);
		}
	}
	return root;
}

/** @param {string} root @param {import("./container/containerfile.mjs").Stage} stage @param {Record<string, string>} roots */
function make(root, { steps }, roots) {
	let folder = "/";
	const isIgnored = ignores(fs.readFileSync(join(context, ".dockerignore"), "utf8"));
	for (const { keyword, value } of steps) {
		if (keyword === "WORKDIR") {
			folder = value;
			fs.mkdirSync(join(root, folder), { recursive: true });
		} else if (keyword === "COPY") {
			const words = value.split(" ");
			const other = /^--from=(.*)$/.exec(words[0] ?? "")?.[1];
			const [from = "", to = ""] = other === undefined ? words : words.slice(1);
			const base = other === undefined ? context : (roots[other] ?? "");
			fs.cpSync(join(base, from), join(root, to.startsWith("/") ? to : join(folder, to)), {
				recursive: true,
				verbatimSymlinks: true,
				filter: (path) => other !== undefined || !isIgnored(relative(context, path)),
			});
		} else if (keyword === "RUN") {
			const words = [root, "/bin/sh", "-ec", `cd ${folder}; ${value}`];
			const options = { env: environment, encoding: /** @type {const} */ ("utf8") };
			const { status, stdout, stderr } = spawnSync("chroot", words, options);
			assert.equal(status, 0, `RUN ${value}\n${stdout}${stderr}`);
		}
	}
}

const [uid, gid] = lastOf(image, "USER").split(":");
const CONFINED = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
CONFINED.push("--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all");
const inside = { PATH: environment.PATH, NODE_ENV: "production", WEIR_API_KEY: KEY };

/** The image, as an engine runs it with a root that is only read. */
class Container {
	printed = "";
	/** @param {string} root */
	constructor(root) {
		this.root = root;
		const folder = lastOf(image, "WORKDIR");
		const words = [...wordsOf(lastOf(image, "ENTRYPOINT")), ...wordsOf(lastOf(image, "CMD"))];
		const start = `ip link set lo up; mount -t proc proc ${root}/proc; exec chroot ${root} /bin/sh -c 'cd ${folder} && exec "$@"' sh "$@"`;
		const spaces = ["--net", "--pid", "--mount", "--ipc", "--fork", "--kill-child"];
		this.child = spawn("unshare", [...spaces, "sh", "-c", start, "sh", ...CONFINED, ...words], {
			env: { ...inside, PATH: environment.PATH },
			stdio: ["ignore", "pipe", "pipe"],
		});
		for (const stream of [this.child.stdout, this.child.stderr])
			stream.on("data", (chunk) => {
				this.printed += chunk;
			});
		this.ended = once(this.child, "exit");
	}

	/** What the namespaces call 1. */
	get pid() {
		const { pid } = this.child;
		try {
			return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
		} catch (error) {
			throw new Error(`it has ended: ${this.printed}`, { cause: error });
		}
	}

	/** Runs a command beside weir, as `exec` of an engine does. @param {readonly string[]} words */
	exec(words) {
		const spaces = ["--target", this.pid, "--net", "--pid", "--mount"];
		const command = [...spaces, "chroot", this.root, ...CONFINED, ...words];
		return spawnSync("nsenter", command, { env: inside, encoding: "utf8", timeout: 20_000 });
	}

	async healthy() {
		const deadline = Date.now() + 60_000;
		for (;;) {
			const { status } = this.exec(healthCommandOf(image));
			if (status === 0) return;
			assert.ok(this.child.exitCode === null && Date.now() < deadline, this.printed);
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	}

	/** @param {string} script of an ES module, which throws if something is wrong */
	script(script) {
		const { status, stderr } = this.exec(["node", "--input-type=module", "-e", script]);
		assert.equal(status, 0, `${stderr}\n${this.printed}`);
	}

	async stop() {
		process.kill(Number(this.pid), "SIGTERM");
		const [code] = await this.ended;
		assert.equal(code, 0, this.printed);
	}
}

const LAY_OUT = `
	const put = async (path, body) => {
		const headers = { authorization: "Bearer ${KEY}", "content-type": "application/json" };
		const answer = await fetch("http://127.0.0.1:4040" + path, { method: "PUT", headers, body: JSON.stringify(body) });
		if (!answer.ok) throw new Error(await answer.text());
	};
	await put("/edges/https/e", { hostports: ["*"] });
	const backend = { urls: ["http://127.0.0.1:4040"] };
	await put("/edges/https/e/routes/r", { match_type: "path_prefix", match: "/", backend });`;
const ASK = `
	const answer = await fetch("http://127.0.0.1:8080/healthz");
	if (answer.status !== 200) throw new Error(answer.status + await answer.text());`;
const WRITE = `
	import { writeFileSync } from "node:fs";
	for (const path of ["/opt/weir/x", "/etc/weir/x", "/tmp/x", "/x"]) {
		let code;
		try { writeFileSync(path, ""); } catch (error) { code = error.code; }
		if (!["EROFS", "EACCES"].includes(code)) throw new Error(path + " can be written: " + code);
	}`;

const roots = { [build.name]: "", image: "" };
/** @type {Container | undefined} */
let container;
/** @type {Record<string, () => unknown>} */
const steps = {
	"the build's stage": () => {
		roots[build.name] = buildRoot();
		make(roots[build.name] ?? "", build, roots);
	},
	"the image's stage": () => {
		roots.image = imageRoot();
		make(roots.image, image, roots);
		// What the checks below need, and no engine gives to an image that is only read.
		must("mount", "--rbind", roots.image, roots.image);
		must("mount", "-o", "remount,ro,bind", roots.image);
		const volume = join(roots.image, lastOf(image, "VOLUME"));
		must("mount", "-t", "tmpfs", "-o", `uid=${uid},gid=${gid},mode=0700`, "tmpfs", volume);
	},
	"it starts, and the health check says so": async () => {
		container = new Container(roots.image);
		await container.healthy();
	},
	"it takes an edge and a route, and a request": () => {
		container?.script(LAY_OUT);
		container?.script(ASK);
	},
	"nothing but the volume can be written": () => container?.script(WRITE),
	"SIGTERM ends it with status 0": () => container?.stop(),
	"the volume has it all, at the next start": async () => {
		container = new Container(roots.image);
		await container.healthy();
		container.script(ASK);
		await container.stop();
	},
};

let passed = 0;
let failed = 0;
for (const [name, step] of Object.entries(steps)) {
	const beganMs = Date.now();
	try {
		await step();
		passed += 1;
		process.stdout.write(`ok   ${name} (${Math.round((Date.now() - beganMs) / 1000)} s)\n`);
	} catch (error) {
		failed += 1;
		const words = error instanceof Error ? error.message : String(error);
		process.stdout.write(`FAIL ${name}: ${words}\n`);
		container?.child.kill("SIGKILL");
		break;
	}
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
