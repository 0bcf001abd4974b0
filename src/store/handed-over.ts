/** A store that one supervisor hands over to another (docs/design.md, "Upgrades"). A part of `Store` (`store.ts`). */
export interface HandedOver {
	/** Refuses writes from now on, with a `StoreError` that is `held`. Resolves when those of before are on disk. */
	hold(): Promise<void>;
	/** Takes writes again after `hold`. */
	release(): void;
	/** As `hold`, and another process may own the store. */
	handOver(): Promise<void>;
	/** Owns the store again, and takes writes. @throws StoreError another process that is alive owns it */
	takeBack(): void;
}
