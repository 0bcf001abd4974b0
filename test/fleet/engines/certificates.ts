/** A CA and what it signs, for servers and machines that know each other by certificates. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

export class Authority {
	readonly #folder: string;
	readonly #ca: { readonly key: string; readonly cert: string };

	private constructor(folder: string, ca: { readonly key: string; readonly cert: string }) {
		this.#folder = folder;
		this.#ca = ca;
	}

	/** Writes `NAME.crt`. */
	static async make(folder: string, name: string): Promise<Authority> {
		const made = await generate([{ name: "commonName", value: name }], {
			keySize: 2048,
			extensions: [
				{ name: "basicConstraints", cA: true, critical: true },
				{ name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
			],
		});
		writeFileSync(join(folder, `${name}.crt`), made.cert);
		return new Authority(folder, { key: made.private, cert: made.cert });
	}

	/** The same, which writes into another folder; its certificate too. */
	in(folder: string): Authority {
		writeFileSync(join(folder, "ca.crt"), this.#ca.cert);
		return new Authority(folder, this.#ca);
	}

	/** Writes `NAME.crt` and `NAME.key`, good for servers and clients. @param names DNS names; addresses of 127/8 count too */
	async sign(
		name: string,
		names: readonly string[],
		valid: { readonly notBeforeDate?: Date; readonly notAfterDate?: Date } = {},
	): Promise<{ readonly cert: string; readonly key: string }> {
		const made = await generate([{ name: "commonName", value: name }], {
			keySize: 2048,
			ca: this.#ca,
			...valid,
			extensions: [
				{ name: "extKeyUsage", serverAuth: true, clientAuth: true },
				{
					name: "subjectAltName",
					altNames: names.map((value) =>
						value.startsWith("127.")
							? { type: 7 as const, ip: value }
							: { type: 2 as const, value },
					),
				},
			],
		});
		const files = {
			cert: join(this.#folder, `${name}.crt`),
			key: join(this.#folder, `${name}.key`),
		};
		writeFileSync(files.cert, made.cert);
		writeFileSync(files.key, made.private);
		return files;
	}
}
