/** The changes that `scripts/soak.mjs` makes under its traffic. Each is in force, on every worker, once it is answered. */
import { exactly } from "./oracle.mjs";
import { saying } from "./site.mjs";

export class Changes {
	/** @param {import("./traffic.mjs").Traffic} traffic @param {number} backendPort */
	constructor(traffic, backendPort) {
		this.traffic = traffic;
		this.backendPort = backendPort;
		this.count = 0;
	}

	/** One change of the text that the register knows. */
	async change() {
		const { register, site } = this.traffic;
		register.begun += 1;
		await site.put("/routes/changed/policy", saying(register.begun));
		register.acknowledged = register.begun;
		this.count += 1;
	}

	/** A route with a policy whose texts there were never before: it comes, and goes. */
	async comeAndGo() {
		const { site, tally } = this.traffic;
		const number = this.count++;
		const name = `gone-${process.pid}-${number}`;
		const path = `/${name}/${"x".repeat(number % 50)}`;
		const others = Array.from({ length: number % 7 }, (_, n) => `req.host != '${name}.${n}'`);
		const config = { content: name, content_type: "text/plain" };
		const actions = [{ type: "custom-response", config }];
		const expressions = [`req.url.path == '${path}'`, ...others];
		await site.put(`/routes/${name}/policy`, { inbound: [{ name, expressions, actions }] });
		await site.putRoute(name, this.backendPort);
		for (let n = 0; n < 3; n++) await this.traffic.see("come", path, exactly(200, name));
		await site.api("DELETE", `/routes/${name}`);
		tally.add("deleted", undefined);
		await this.traffic.see("gone", path, exactly(404));
	}
}
