/**
 * Mistakes at the command line and in files, each with the exit status and the part of the sentence that tells what to
 * do. A row is all there is to a new one; played by `../first-hour.test.ts`.
 */
import { createHash } from "node:crypto";

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
/** Of a store that holds nothing. */
const EMPTY_BACKUP = (() => {
	const header = 'weir-backup 1 {"layout":1,"weir":"0.1.0","created":"2026-01-31T12:00:00.000Z"}\n';
	const sha256 = createHash("sha256").update(header).digest("hex");
	return `${header}end ${JSON.stringify({ entries: 0, sha256 })}\n`;
})();
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
		mistake: "help before the command",
		args: ["help", "check"],
		status: 0,
		says: ["usage: weir check FILE... [flags]"],
	},
	{
		mistake: "help of no command",
		args: ["help", "serv"],
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
		mistake: "a log that is to be replayed under nothing",
		args: ["replay", "access.log"],
		status: 2,
		says: ["replay needs --log FILE and --policy FILE"],
	},
	{
		mistake: "a log without access lines",
		args: ["replay", "--log", "weir.log", "--policy", "p.json"],
		files: { "p.json": '{"inbound": []}', "weir.log": '{"level":"info","msg":"weir is ready"}\n' },
		status: 2,
		says: ["weir.log holds nothing to replay", "set log.access: true"],
	},
	{
		mistake: "a log of something else",
		args: ["replay", "--log", "other.log", "--policy", "p.json"],
		files: { "p.json": '{"inbound": []}', "other.log": "Nov 22 kernel: hello\n" },
		status: 2,
		says: [
			"other.log holds no access line",
			"line 1: it is neither JSON nor in the combined format",
		],
	},
	{
		mistake: "a compressed log that was cut off",
		args: ["replay", "--log", "cut.gz", "--policy", "p.json"],
		files: { "p.json": '{"inbound": []}', "cut.gz": "no gzip" },
		status: 2,
		says: ["cut.gz cannot be read: it is no whole gzip file", "decompress it, or copy it again"],
	},
	{
		mistake: "a route without its edge",
		args: ["replay", "--log", "a", "--policy", "b", "--route", "all"],
		status: 2,
		says: ["--route EDGE/ROUTE"],
	},
	{
		mistake: "a log in the combined format, and a policy for each route",
		args: ["replay", "--log", "a.log", "--policy", "site.json"],
		files: {
			"a.log": '192.0.2.7 - - [22/Nov/2026:17:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "-"\n',
			"site.json": '{"policies": {"e/r": {"inbound": []}}}',
		},
		status: 2,
		says: ["do not say which route they are of: name it with --route EDGE/ROUTE"],
	},
	{
		mistake: "a config file in place of a policy",
		args: ["replay", "--log", "a.log", "--policy", "weir.json"],
		files: { "a.log": "", "weir.json": '{"listen": "127.0.0.1:8080"}' },
		status: 2,
		says: ["it is a config file, and a policy or a file of resources is needed"],
	},
	{
		mistake: "a config file that is not there",
		args: ["serve", "--config", "nowhere.yaml"],
		status: 2,
		says: ["nowhere.yaml: cannot be read: there is no such file"],
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
		says: ["/listen: expected a string or a list, got an object; a list of one is [{…}]"],
	},
	{
		mistake: "an address twice, once by name",
		args: ["serve", "--listen", "localhost:4999", "--listen", "127.0.0.1:4999"],
		status: 1,
		says: ["127.0.0.1:4999 is to be listened on twice; localhost:4999 is the same address"],
	},
	{
		mistake: "a certificate that is not there",
		...config('listen: [{address: "127.0.0.1:0", tls: {cert: no.crt, key: no.key}}]\n'),
		status: 2,
		says: [/tls\/cert: cannot read \S+no\.crt: ENOENT/, /tls\/key: cannot read \S+no\.key/],
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
		says: ["policy.json: error: cannot be read: there is no such file"],
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
		files: {
			"good.json": POLICY,
			"other.json": '{"on_http_request": [{"actions": [{"type": "jwt-validation"}]}]}',
		},
		status: 1,
		says: ["/on_http_request/0/actions/0/type", "weir has no such action", "basic-auth"],
	},
	{
		mistake: "certificate and key exchanged",
		args: ["check", "weir.yaml"],
		files: {
			"weir.yaml": 'listen: [{address: "127.0.0.1:0", tls: {cert: a.key, key: a.key}}]\n',
			"a.key": "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n",
		},
		status: 1,
		says: [
			/tls\/cert: error: \S+a\.key holds no certificate in PEM, but a private key; are cert and/,
		],
	},
	{
		mistake: "several mistakes in a config, all told at once",
		args: ["check", "weir.yaml"],
		files: {
			"weir.yaml":
				"listen: 8080\nworker: 2\ntrusted_proxies: [10.0.0.0/33]\nlog: {level: warning}\n",
		},
		status: 1,
		says: [
			"weir.yaml:1:1: /listen: error: expected a string or a list, got the number 8080",
			/weir\.yaml:2:1: \/worker: error: .*"workers"/,
			/weir\.yaml:4:\d+: \/log\/level: error: .*"warn"/,
			"weir.yaml: 3 errors (config file)",
		],
	},
	{
		mistake: "a network and an address that make no sense",
		args: ["check", "weir.yaml"],
		files: { "weir.yaml": "listen: http://a.test:80\ntrusted_proxies: [10.0.0.0/33]\n" },
		status: 1,
		says: [
			'/listen: error: "http://a.test:80" is no address; write host:port',
			'/trusted_proxies/0: error: "10.0.0.0/33" is no address or network',
		],
	},
	{
		mistake: "an empty file",
		args: ["check", "empty.yaml"],
		files: { "empty.yaml": "" },
		status: 1,
		says: ["empty.yaml: error: the file is empty", "--as config, --as policy or --as resources"],
	},
	{
		mistake: "a backup of a folder without a store",
		args: ["backup", "today.backup", "--data-dir", "misspelt"],
		status: 1,
		says: ["there is no store in", "misspelt; name the right folder with --data-dir"],
	},
	{
		mistake: "a backup over another file",
		args: ["backup", "weir.yaml", "--data-dir", "DATA"],
		files: { "weir.yaml": "workers: 1\n" },
		status: 1,
		says: ["weir.yaml is there and is no backup of weir; choose another name"],
	},
	{
		mistake: "a backup that is not there",
		args: ["restore", "today.backup"],
		status: 1,
		says: ["today.backup can't be read: there is no such file"],
	},
	{
		mistake: "a restore of something else",
		args: ["restore", "other.json"],
		files: { "other.json": "{}" },
		status: 1,
		says: ["other.json is no backup of weir; weir backup FILE makes one"],
	},
	{
		mistake: "a restore beside a server",
		args: ["restore", "a.backup", "--force", "--data-dir", "DATA"],
		files: { "a.backup": EMPTY_BACKUP },
		status: 1,
		says: ["a weir runs on DATA; stop it, or choose another data directory"],
	},
];
