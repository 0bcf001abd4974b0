/**
 * Mistakes at the command line and in files, each with the exit status and the part of the sentence that tells what to
 * do. A row is all there is to a new one; played by `../first-hour.test.ts`.
 */

export interface CommandMistake {
	readonly mistake: string;
	/** `PORT` and `DATA` stand for those of a server that runs */
	readonly args: readonly string[];
	/** in the folder in which the command runs */
	readonly files?: Readonly<Record<string, string>>;
	readonly status: number;
	/** on stdout or stderr */
	readonly says: readonly (string | RegExp)[];
}

const POLICY = '{"inbound": [{"actions": [{"type": "deny"}]}]}';
const config = (yaml: string) => ({
	args: ["serve", "--config", "weir.yaml"],
	files: { "weir.yaml": yaml },
});

export const COMMAND_MISTAKES: readonly CommandMistake[] = [
	{
		mistake: "a command that is misspelt",
		args: ["serv"],
		status: 2,
		says: ['unknown command "serv"; did you mean "serve"?'],
	},
	{
		mistake: "a flag of another proxy",
		args: ["serve", "--port", "8080"],
		status: 2,
		says: ['unknown flag "--port"'],
	},
	{
		mistake: "a port alone as address",
		args: ["serve", "--listen", "8080"],
		status: 2,
		says: ['"8080" is no address'],
	},
	{
		mistake: "a config file that is not there",
		args: ["serve", "--config", "nowhere.yaml"],
		status: 2,
		says: ["nowhere.yaml"],
	},
	{
		mistake: "a setting that is misspelt",
		...config("timeouts:\n  drain: 5\n"),
		status: 2,
		says: [/weir\.yaml:2:\d+: \/timeouts\/drain: /, '"drain_ms"'],
	},
	{
		mistake: "a setting with a unit",
		...config("timeouts:\n  idle_ms: 60s\n"),
		status: 2,
		says: [/weir\.yaml:2:\d+: \/timeouts\/idle_ms: /, 'expected a number, got the string "60s"'],
	},
	{
		mistake: "YAML with a tab",
		...config("timeouts:\n\tidle_ms: 5\n"),
		status: 2,
		says: ["weir.yaml:2:1: a tab indents this line; YAML is indented with spaces"],
	},
	{
		mistake: "a listener that is no list",
		...config('listen: {address: "127.0.0.1:0"}\n'),
		status: 2,
		says: ["/listen: expected a string or a list, got an object"],
	},
	{
		mistake: "a certificate that is not there",
		...config('listen: [{address: "127.0.0.1:0", tls: {cert: no.crt, key: no.key}}]\n'),
		status: 2,
		says: ["no.crt"],
	},
	{
		mistake: "a log in a folder that is not there",
		...config("log: {destination: logs/weir.log}\n"),
		status: 2,
		says: ["log/destination: cannot write", "logs/weir.log"],
	},
	{
		mistake: "a port that is taken",
		args: ["serve", "--listen", "127.0.0.1:PORT", "--management", "127.0.0.1:0"],
		status: 1,
		says: ["another process listens there"],
	},
	{
		mistake: "the data folder of another weir",
		args: ["serve", "--listen", "127.0.0.1:0", "--management", "127.0.0.1:0", "--data-dir", "DATA"],
		status: 1,
		says: ["DATA", "in use by another weir"],
	},
	{
		mistake: "a file where the data folder should be",
		args: ["serve", "--listen", "127.0.0.1:0", "--management", "127.0.0.1:0", "--data-dir", "file"],
		files: { file: "" },
		status: 1,
		says: ["file is no folder", "--data-dir"],
	},
	{
		mistake: "keys of a folder without a store",
		args: ["keys", "list", "--data-dir", "misspelt"],
		status: 1,
		says: ["there is no store in", "misspelt; name the right folder with --data-dir"],
	},
	{
		mistake: "a key to revoke that there is not",
		args: ["keys", "revoke", "key_x", "--data-dir", "DATA"],
		status: 1,
		says: ["there is no key"],
	},
	{
		mistake: "a role that there is not",
		args: ["keys", "create", "--role", "reader", "--data-dir", "DATA"],
		status: 2,
		says: ['unknown role "reader"; did you mean "read"?'],
	},
	{
		mistake: "a policy file that is not there",
		args: ["check", "policy.json"],
		status: 1,
		says: ["policy.json: error: cannot be read"],
	},
	{
		mistake: "a comma too many",
		args: ["check", "policy.json"],
		files: { "policy.json": '{\n  "inbound": [],\n}\n' },
		status: 1,
		says: ["policy.json:3:1: "],
	},
	{
		mistake: "one good file and one of another product",
		args: ["check", "good.json", "other.json"],
		files: { "good.json": POLICY, "other.json": '{"on_http_request": []}' },
		status: 1,
		says: ["/on_http_request", '"inbound"'],
	},
];
