/**
 * The container file says what the rest of the project says: the ports and folders of its settings, not root, a version of
 * Node that weir supports, a health check that holds. scripts/container-check.mjs runs its instructions.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/config.ts";
import { check } from "../../src/documents/problems.ts";
import { startServer } from "../e2e/harness.ts";
import { containerfile, image, stages } from "./containerfile.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (...names: string[]) => readFileSync(join(root, ...names), "utf8");
const { healthCommandOf, ignores, lastOf, stagesOf, wordsOf } = containerfile;

it("has bases of one fixed version of Node, which weir supports", () => {
	const versions = stages.map(
		({ from }) => /\/node:(\d+\.\d+\.\d+)-bookworm(?:-slim)?$/.exec(from)?.[1],
	);
	expect(new Set(versions).size).toBe(1);
	const [major = 0, minor = 0] = (versions[0] ?? "").split(".").map(Number);
	const { engines } = JSON.parse(read("package.json"));
	expect(engines.node).toContain("^22.9.0");
	expect(major === 22 && minor >= 9, versions[0]).toBe(true);
	expect(image.from).toMatch(/-slim$/);
});

it("runs as a user of its own, on the ports and in the folder of its settings", () => {
	const settings = check(configSchema, parse(read("deploy", "container", "weir.yaml")));
	if (!settings.ok) throw new Error(JSON.stringify(settings.error));
	const { listen, management, data_dir } = settings.value;
	const portOf = (address: unknown) => String(address).split(":").at(-1);
	const managementPort = portOf((management as { address: string }).address);
	expect(lastOf(image, "EXPOSE")).toBe(`${portOf(listen)} ${managementPort}`);
	expect(lastOf(image, "VOLUME")).toBe(data_dir);
	expect(lastOf(image, "USER")).toMatch(/^[1-9]\d+:[1-9]\d+$/);
	expect(healthCommandOf(image).at(-1)).toContain(`http://127.0.0.1:${managementPort}/healthz`);
	expect(wordsOf(lastOf(image, "CMD"))).toEqual(["serve", "--config", "/etc/weir/weir.yaml"]);
});

it("leaves out of the build what git leaves out, and nothing that git has", () => {
	const isIgnored = ignores(read(".dockerignore"));
	for (const name of [
		"node_modules",
		"dist",
		"build",
		"prebuilds",
		".git",
		"weir-0.1.0.tgz",
		"native/build-x",
	])
		expect([name, isIgnored(name)]).toEqual([name, true]);
	for (const name of [
		"src",
		"scripts/build.mjs",
		"native/src",
		"package-lock.json",
		"docs",
		"schemas",
	])
		expect([name, isIgnored(name)]).toEqual([name, false]);
	for (const name of readdirSync(join(root, "scripts")))
		expect(isIgnored(`scripts/${name}`)).toBe(false);
});

it("has a health check that holds while weir lives, and no longer", async () => {
	const server = await startServer({ workers: 1 });
	onTestFinished(() => server.cleanUp());
	const [program = "", ...words] = healthCommandOf(image);
	expect(program).toBe("node");
	const command = words.map((word) => word.replace("4040", String(server.managementPort)));
	const checked = () =>
		promisify(execFile)(process.execPath, command).then(
			() => 0,
			({ code }) => code,
		);
	expect(await checked()).toBe(0);
	await server.cleanUp();
	expect(await checked()).toBe(1);
});

it("is read as container engines read it", () => {
	const text =
		'ARG A=1\nFROM x:${A} AS one\n# no\nRUN a \\\n  && b\nCMD ["c", "d"]\nFROM y\nCMD ["e"]';
	const [one, two] = stagesOf(text);
	expect(one).toEqual({
		from: "x:1",
		name: "one",
		steps: [
			{ keyword: "RUN", value: "a  && b" },
			{ keyword: "CMD", value: '["c", "d"]' },
		],
	});
	expect(two?.from).toBe("y");
	expect(() => stagesOf("FROM a\nADD b c")).toThrow("not known here: ADD b c");
	expect(() => stagesOf("FROM a:${B}")).toThrow("no ARG B");
});
