/** The part of an engine that knows what members say, with words that can be kept back. */
import { LogError, type MemberStatus, type SeenStatus } from "../../src/fleet/log/log.ts";

export const status = (name: string, fields: Partial<MemberStatus> = {}): MemberStatus => ({
	...{ id: `m_${name}`, name, version: "1.0.0", level: 1, role: "manager", state: "in_sync" },
	...{ revision: 1, digest: "d1", since: "2026-11-22T08:00:00Z", labels: {}, limits: "same" },
	...fields,
});

export class FakeSeen {
	/** what was said, in order */
	readonly said: MemberStatus[] = [];
	readonly last = new Map<string, SeenStatus>();
	readonly forgotten: string[] = [];
	isDown = false;
	reads = 0;
	/** words that were read */
	shown = 0;
	readonly #ears = new Set<(status: MemberStatus) => void>();

	constructor(...members: readonly MemberStatus[]) {
		for (const each of members) this.last.set(each.id, { status: each, ageMs: 0 });
	}

	/** those who listen */
	get ears(): number {
		return this.#ears.size;
	}

	readonly say = (said: MemberStatus): void => {
		this.said.push(said);
		this.tell(said);
	};

	/** A member says it, and it is stored and heard. */
	tell(said: MemberStatus, ageMs = 0): void {
		this.last.set(said.id, { status: said, ageMs });
		for (const ear of this.#ears) ear(said);
	}

	readonly seen = async (most = this.last.size): Promise<readonly SeenStatus[]> => {
		this.reads += 1;
		if (this.isDown) throw new LogError("unreachable", "connection refused by nats-1:4222");
		const some = [...this.last.values()].slice(0, most);
		this.shown += some.length;
		return some;
	};

	readonly hear = (ear: (status: MemberStatus) => void): (() => void) => {
		this.#ears.add(ear);
		return () => void this.#ears.delete(ear);
	};

	readonly forget = async (member: string): Promise<void> => {
		this.forgotten.push(member);
		this.last.delete(member);
	};
}
