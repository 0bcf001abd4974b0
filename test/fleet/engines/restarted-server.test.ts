/** A server alone that is killed and started again has forgotten what was in memory: who is there is known anew, by itself. */
import { expect, it, onTestFinished } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { connected, setUp } from "../../../src/fleet/log/nats/setup.ts";
import { PROGRAMS, startEngine } from "../engine.ts";
import { statusOf } from "../log/examples.ts";
import { type Role, settingsFor, setupAt, Users } from "./nats-bench.ts";

it.skipIf(PROGRAMS.length === 0).each(PROGRAMS)(
	"the last words of members are taken again after a restart of nats-server $version",
	{ timeout: 60_000 },
	async (program) => {
		const users = new Users();
		const engine = await startEngine(program, { config: users.config });
		const open = async (role: Role): Promise<NatsLog> => {
			const log = new NatsLog(settingsFor(engine.urls, users.file(role)));
			onTestFinished(() => log.close());
			await connected(log);
			return log;
		};
		onTestFinished(async () => {
			users.close();
			await engine.close();
		});
		const admin = await open("admin");
		await setUp(admin, setupAt(0, {}));
		await admin.close();
		const manager = await open("manager");
		const edge = await open("edge");
		manager.say(statusOf("m_manager"));
		edge.say(statusOf("m_edge"));
		const names = async (log: NatsLog) =>
			(await log.seen().catch(() => [])).map(({ status }) => status.id).sort();
		await expect.poll(() => names(edge)).toEqual(["m_edge", "m_manager"]);
		const [server] = engine.servers;
		await server?.kill();
		await server?.start();
		const within = { timeout: 20_000 };
		await expect.poll(() => names(edge), within).toEqual(["m_edge", "m_manager"]);
	},
);
