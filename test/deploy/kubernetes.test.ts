/**
 * The Kubernetes example: one name throughout, ports and folders of its own settings, probes that hold on a real server and
 * fail without it. scripts/kubernetes-check.mjs holds it to the schemas of Kubernetes.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { configSchema } from "../../src/config.ts";
import { check } from "../../src/documents/problems.ts";
import { KEY, startServer } from "../e2e/harness.ts";
import { containerfile, image } from "./containerfile.ts";

const deploy = join(import.meta.dirname, "..", "..", "deploy");
const read = (...names: string[]) => readFileSync(join(deploy, ...names), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: documents of another program are looked into
const documents: any[] = parseAllDocuments(read("kubernetes", "weir.yaml")).map((document) => {
	expect("errors" in document ? document.errors : []).toEqual([]);
	return document.toJS();
});
const ofKind = (kind: string) => documents.filter((document) => document.kind === kind);
const [map] = ofKind("ConfigMap");
const [set] = ofKind("StatefulSet");
const pod = set.spec.template;
const [container] = pod.spec.containers;
const settings = parse(map.data["weir.yaml"]);

it("has one label, by which everything finds the pods", () => {
	const label = { "app.kubernetes.io/name": "weir" };
	for (const { metadata } of documents) expect(metadata.labels).toEqual(label);
	for (const { spec } of ofKind("Service")) expect(spec.selector).toEqual(label);
	for (const { spec } of ofKind("PodDisruptionBudget"))
		expect(spec.selector.matchLabels).toEqual(label);
	expect(set.spec.selector.matchLabels).toEqual(label);
	expect(pod.metadata.labels).toEqual(label);
	const [, pods] = ofKind("Service");
	expect([pods.spec.clusterIP, set.spec.serviceName]).toEqual(["None", pods.metadata.name]);
});

it("has settings that weir takes, and ports and folders that are theirs", () => {
	const checked = check(configSchema, settings);
	if (!checked.ok) throw new Error(JSON.stringify(checked.error));
	const port = Number(settings.listen.split(":").at(-1));
	expect(container.ports).toEqual([{ name: "http", containerPort: port }]);
	for (const { spec } of ofKind("Service")) expect(spec.ports[0].targetPort).toBe("http");
	const [data, config] = container.volumeMounts;
	expect(settings.data_dir.startsWith(`${data.mountPath}/`)).toBe(true);
	expect(container.args.at(-1)).toBe(`${config.mountPath}/weir.yaml`);
	expect(set.spec.volumeClaimTemplates[0].metadata.name).toBe(data.name);
	expect(pod.spec.volumes[0]).toEqual({
		name: config.name,
		configMap: { name: map.metadata.name },
	});
	expect(settings.workers).toBe(Number(container.resources.limits.cpu));
	expect(settings.management.address).toMatch(/^127\.0\.0\.1:/);
});

it("runs as the image's user, with nothing to write to but its volume", () => {
	const user = containerfile.lastOf(image, "USER");
	const { runAsUser, runAsGroup, runAsNonRoot, fsGroup } = pod.spec.securityContext;
	expect(`${runAsUser}:${runAsGroup}`).toBe(user);
	expect([runAsNonRoot, fsGroup]).toEqual([true, runAsGroup]);
	const { readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } =
		container.securityContext;
	expect([readOnlyRootFilesystem, allowPrivilegeEscalation]).toEqual([true, false]);
	expect(capabilities.drop).toEqual(["ALL"]);
});

it("gives weir the time to drain", () => {
	const [, pause] = container.lifecycle.preStop.exec.command;
	const needsMs = settings.timeouts.drain_ms + Number(pause) * 1000;
	expect(pod.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(needsMs);
});

it("has probes that hold on a real server, each for what it is asked, and fail without one", async () => {
	const { workers, timeouts } = settings;
	const server = await startServer({ workers, config: { timeouts } });
	onTestFinished(() => server.cleanUp());
	const probe = (name: string, key = KEY): Promise<number> => {
		const [program, ...words]: string[] = container[`${name}Probe`].exec.command;
		expect(program).toBe("node");
		const command = words.map((word) => word.replace("4040", String(server.managementPort)));
		const env = { ...process.env, [container.env[0].name]: key };
		return promisify(execFile)(process.execPath, command, { env }).then(
			() => 0,
			({ code }) => code,
		);
	};
	const all = ["startup", "liveness", "readiness"];
	expect(await Promise.all(all.map((name) => probe(name)))).toEqual([0, 0, 0]);
	expect(await Promise.all(all.map((name) => probe(name, "another-key")))).toEqual([0, 0, 1]);
	await server.cleanUp();
	expect(await Promise.all(all.map((name) => probe(name)))).toEqual([1, 1, 1]);
});
