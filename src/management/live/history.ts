/** The points of the last 15 minutes, one for each second, so that a page that is opened has something to draw. Used by `feed.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import type { LivePoint } from "./shapes.ts";

export class History {
	readonly #points: LivePoint[] = [];
	#next = 0;

	add(point: LivePoint): void {
		this.#points[this.#next] = point;
		this.#next = (this.#next + 1) % LIMITS.livePoints;
	}

	/** oldest first */
	get points(): readonly LivePoint[] {
		if (this.#points.length < LIMITS.livePoints) return [...this.#points];
		return [...this.#points.slice(this.#next), ...this.#points.slice(0, this.#next)];
	}
}
