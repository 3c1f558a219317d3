// The words of every command, apart from its code. `--help` must not wait for libraries, so this file imports only other texts.
import { explainUsage, verifyUsage } from '@assay/verifier/cli/usages';

interface CommandWords {
  readonly summary: string;
  readonly usage: string;
}

const jsonRule = '--json prints one JSON value on each line.';

const words = {
  start: {
    summary:
      'the whole product on this machine, with stand-ins for the outside parts that are not configured',
    usage: `Usage:
  assay start
  assay start --production [--without-payments]

Runs everything until it is stopped: API, worker, web app, and a stand-in for each outside part that the environment does not name
(database, identity provider, payments, mailboxes, mail world). \`npm start\` runs it after it has built the web app
and bundled the server. See README.md.
--production runs a small installation for real people: with a database and an identity provider of its own, and without stand-ins
and demo account. It says what is missing. See docs/installation.md.`,
  },
  api: {
    summary: 'serve the API and the web app',
    usage: `Usage:
  assay api

Serves until it is stopped. Reads its settings from the environment (docs/configuration.md) and applies missing migrations first.
Writes JSON lines to standard output.`,
  },
  worker: {
    summary: 'do the background work',
    usage: `Usage:
  assay worker

Runs jobs until it is stopped. Reads its settings from the environment (docs/configuration.md) and applies missing migrations first.
Writes JSON lines to standard output.`,
  },
  identity: {
    summary: 'run the embedded identity provider as a process',
    usage: `Usage:
  assay identity

Runs the embedded identity provider on IDENTITY_HOST and IDENTITY_PORT until it is stopped, with the settings of \`assay api\`.
Its accounts, sessions and keys are in DATABASE_URL, so several may run. IDENTITY_URL tells the API where it is.`,
  },
  migrate: {
    summary: 'bring the database to this version',
    usage: `Usage:
  assay migrate

Brings the database to this version. Processes do it themselves when they start; this is for a role that may change
tables where theirs may not, or for doing it beforehand.
${jsonRule}`,
  },
  verify: { summary: 'verify addresses in the terminal', usage: verifyUsage },
  'mail-world': {
    summary: 'run the mail world that answers for the sandbox of the API',
    usage: `Usage:
  assay mail-world [--dns-port N] [--smtp-port N]

Runs the mail world of docs/mail-world.md on loopback until it is stopped, and prints the settings that make it the sandbox of
the API. Run one beside each worker, with the same ports everywhere (5354 and 2526 unless given).
${jsonRule}`,
  },
  explain: { summary: 'what a reply of a mail host, or a mail that came back, means', usage: explainUsage },
  mcp: {
    summary: 'serve the tools for assistants on standard input and output',
    usage: `Usage:
  assay mcp

Speaks the Model Context Protocol on standard input and output until the input ends, for assistants that start a program.
ASSAY_URL is where the product is, and ASSAY_API_KEY an API key with a monthly credit limit. The same tools are at /mcp of
the product, for assistants that connect over HTTP.`,
  },
  token: {
    summary: 'print a bearer token for trying the API (embedded identity only)',
    usage: `Usage:
  assay token --email ADDRESS

Prints a bearer token of that account, for trying the API of the product that runs on this data folder:
  curl -H "Authorization: Bearer $(npx assay token --email demo@assay.test)" http://localhost:3000/api/users/me
${jsonRule}`,
  },
  users: {
    summary: 'show a customer, find abuse, switch feature flags, throttle, hold or suspend an account',
    usage: `Usage:
  assay users show --email ADDRESS | --user ID
  assay users suspects
  assay users flag --email ADDRESS | --user ID  FLAG on|off --reason TEXT
  assay users standing --email ADDRESS | --user ID  STANDING --reason TEXT
  assay users two-step-off --email ADDRESS | --user ID  --reason TEXT

Flags: guessing_enabled, can_change_password
Standings: open, throttled, held, suspended. A throttled account may call a tenth as often; a held one starts nothing new, and its lists
are paused; a suspended one can only sign in, read and export.
two-step-off removes the authenticator app, the passkeys and the recovery codes of a customer who lost them, and mails the customer. First
make sure that it is the customer who asks.
suspects shows customers whose lists look harvested, the highest score first. A score proves nothing: look before you act.
${jsonRule}`,
  },
  operators: {
    summary: 'who may use the operator console',
    usage: `Usage:
  assay operators add --email ADDRESS | --user ID  [--role support|admin] --reason TEXT
  assay operators remove --email ADDRESS | --user ID  --reason TEXT
  assay operators list
  assay operators verify

Operators may open /operator. add gives an account a role, or another one: support reads, restarts lists and jobs and writes
incidents; admin, which is the default, also decides about money and accounts. The role belongs to the account that --email
finds now, not to the address. ASSAY_OPERATOR_CLAIM and ASSAY_SUPPORT_CLAIM give it to others, who are not listed here.
verify recomputes the hash chain of everything that operators did; exit code 1 if an action was changed or removed.
${jsonRule}`,
  },
  credits: {
    summary: 'grant credits to a customer, and take a grant back',
    usage: `Usage:
  assay credits grant --email ADDRESS | --user ID  --credits N --reason TEXT [--key KEY]
  assay credits take-back --email ADDRESS | --user ID  --entry NUMBER --reason TEXT
  assay credits withheld
  assay credits release --email ADDRESS | --user ID  --reason TEXT [--domain]

The customer reads the reason in their history, and it stays when the account is deleted: no names in it.
A second grant with the same KEY changes nothing, so a script that names one may be run again.
take-back takes back what is left of a grant; the console shows the number of its entry. What is on hold follows when its work ends.
withheld shows new customers without free credits, because their mail domain is disposable or has used up its day. release grants
them; with --domain, the daily limit of their mail domain ends.
${jsonRule}`,
  },
  coupons: {
    summary: 'create, list and disable coupon codes',
    usage: `Usage:
  assay coupons create CODE --credits N [--max N] [--expires DATE] --reason TEXT
  assay coupons create --bulk N --prefix P --credits N [--max N] [--expires DATE] --reason TEXT
  assay coupons list
  assay coupons disable CODE --reason TEXT

Case does not matter in a code.
--max is how many customers may redeem the code: any number when not given, one each for codes made in bulk.
--expires is the first day or moment at which it is no longer taken, such as 2027-01-31 or 2027-01-31T12:00:00Z.
In bulk, each code is printed on a line of its own.
${jsonRule}`,
  },
  lists: {
    summary: 'running lists that do not get on: why, restart, finish',
    usage: `Usage:
  assay lists stuck
  assay lists restart ID --reason TEXT
  assay lists finish ID --reason TEXT

stuck shows running lists without a result for ten minutes and why, the oldest first. restart enqueues the rows of one without a
result again; finish ends it without them: they become UNKNOWN and cost nothing.
${jsonRule}`,
  },
  jobs: {
    summary: 'jobs that failed for good: list, retry, discard',
    usage: `Usage:
  assay jobs list
  assay jobs retry ID --reason TEXT
  assay jobs discard ID --reason TEXT

list shows jobs that failed for good, the oldest first. retry sends one back to its queue; discard removes it.
${jsonRule}`,
  },
  incidents: {
    summary: 'what the status page says about times when a part did not work: list, open, note, close',
    usage: `Usage:
  assay incidents list
  assay incidents open PART STATE --words TEXT
  assay incidents note ID --words TEXT
  assay incidents close ID --words TEXT

PART is api, verification or lists; STATE is degraded or unavailable. People read TEXT on the status page, and it is the reason in
the log of operators. Incidents that the product measures begin and end by themselves.
${jsonRule}`,
  },
  owners: {
    summary: 'domains that are left alone because their owner or their host asked for it: list, stop, lift',
    usage: `Usage:
  assay owners list
  assay owners stop DOMAIN --reason TEXT
  assay owners lift DOMAIN --reason TEXT

Mail hosts can ask us to stop, and then nobody asks about their domain for 30 days (docs/conduct.md). stop does the same for an owner who
wrote to you; lift ends it. Records that owners publish themselves count without any command.
${jsonRule}`,
  },
  questions: {
    summary: 'what the checks of accounts asked mail providers, and how many recipients were unknown',
    usage: `Usage:
  assay questions [--email ADDRESS | --user ID] [--since DATE] [--limit N]

What checks cost the reputation of your addresses: recipients asked about, with our own proofs and controls, those that the provider did
not know, and replies that blocked us, by account and provider; of one account by list. Of the last 30 days, the most unknown first.
--since counts from that day on, such as 2027-01-31.
${jsonRule}`,
  },
  support: {
    summary: 'list what customers asked for, such as to be called',
    usage: `Usage:
  assay support list [--email ADDRESS | --user ID] [--since DATE] [--waiting] [--limit N]

What customers asked for, such as to be called, newest first.
--since shows what was asked on that day or later, such as 2027-01-31.
--waiting shows only what SUPPORT_MAIL_TO or SUPPORT_WEBHOOK_URL has not taken yet.
--limit is how many to show at the most (50).
${jsonRule}`,
  },
  payments: {
    summary: 'prepare the Stripe account for the price list, find customers there that a restore has lost',
    usage: `Usage:
  assay payments setup
  assay payments strays --since DATE
  assay payments delete-stray CUSTOMER --reason TEXT

setup makes a product and a price for each plan and the customer portal's configuration in the Stripe account of
STRIPE_SECRET_KEY, or brings them up to date. May be repeated, and must be after the price list has changed.

strays shows customers at Stripe that this installation does not know and that were made since DATE, such as
2027-01-31T12:00:00Z: after a restore, those that were made after the backup. Refund them at Stripe if they paid. Other
installations that share the Stripe account have theirs shown too.
delete-stray deletes one of them at Stripe, which ends its subscriptions.
${jsonRule}`,
  },
  doctor: {
    summary: 'check an installation and explain how to mend it',
    usage: `Usage:
  assay doctor

Checks what the product needs: configuration, web app, database (version, rights, direct connection, clock, migrations), file store
and disk, identity provider, Stripe, mail relay, PUBLIC_URL as browsers reach it, and each network address that verifications come from. It changes
nothing, except that it writes and removes one small file, and it says how to mend each problem.
Exit code: 0 without a problem, 1 with one.
${jsonRule}`,
  },
  egress: {
    summary: 'check the network address that verifications come from',
    usage: `Usage:
  assay egress check
  assay egress plan [NAME --weeks N]

Checks each network address that verifications come from: outbound port 25, reverse DNS, HELO name, SPF of the sender's
domain, DNS block lists. It explains each problem and how to mend it.
Exit code: 0 without a problem, 1 with one.

plan shows how much of each provider's limit for unknown recipients an address may use: a new one begins with an eighth, which doubles each week.
--weeks changes how long that takes from its first use; 0 is for an address that has a history with mail hosts.
${jsonRule}`,
  },
  activity: {
    summary: 'verify that no entry of an activity log was changed',
    usage: `Usage:
  assay activity verify [--user ID]

Recomputes the hash chains of the activity logs of all customers, or of one, and names the first entry of each that
was changed or removed.
Exit code: 0 when all verify, 1 when one does not.
${jsonRule}`,
  },
  secret: {
    summary: 'encrypt again after ASSAY_SECRET has changed',
    usage: `Usage:
  assay secret rotate

Encrypts with ASSAY_SECRET what a secret of ASSAY_PREVIOUS_SECRETS encrypted: API keys and signing secrets of webhooks.
Workers do the same with mailbox tokens. May be repeated, and while everything runs. See docs/operations.md.
${jsonRule}`,
  },
  backup: {
    summary: 'write an encrypted backup of the whole installation',
    usage: `Usage:
  assay backup FILE [--overwrite]
  assay backup FOLDER --keep 7d,4w,6m

Writes the whole installation to FILE, a path or s3://bucket/key: database, uploaded files and secrets, as of one moment,
compressed and encrypted. Nothing has to stop. Reads it again afterwards and compares. See docs/operations.md.

--keep is for schedules: it writes to FOLDER/assay-backups/, a path or s3://bucket/prefix, under the present moment. Then it
removes older backups there, except the newest of each of the last 7 days, 4 weeks and 6 months that have one (y: years).
${jsonRule}`,
  },
  restore: {
    summary: 'load a backup into an empty installation',
    usage: `Usage:
  assay restore FILE [--yes]
  assay restore FILE --rehearse [--scratch URL]
  assay restore FILE --secrets PATH

Loads a backup, a path or s3://bucket/key, into an empty installation whose processes are stopped. With --yes, it first
deletes everything that the installation contains. Checks the whole backup before it changes anything; if it fails,
the database stays as it was. Then it repeats deletions, removals of operators, standings and disabled coupons.

--rehearse does all of it in a scratch database, which it makes on the same server and drops again, and reports. The
installation may run meanwhile. --scratch URL names an empty database where the role may make none.

--secrets PATH writes the secrets of the backup to a file, and nothing else.

Restore only files that you trust: a backup contains SQL. See docs/operations.md.
${jsonRule}`,
  },
  recover: {
    summary: 'repeat later deletions after other tools restored the database',
    usage: `Usage:
  assay recover [--since TIME]

Run it after other tools have brought the database back to an earlier moment (point-in-time recovery, pg_restore), with every
process stopped. It migrates and repeats what \`assay restore\` does after loading: deletions, revocations, webhooks that
were due, and the comparison with the payment provider.

--since is that moment, such as 2026-11-18T03:00:00Z. Without it, the last sign of life of a process in the database counts.
${jsonRule}`,
  },
  ledger: {
    summary: 'audit every balance, hold and settlement',
    usage: `Usage:
  assay ledger audit

Recomputes every balance, hold and settlement from the entries, and what guesses were charged from what they proved,
and names each disagreement.
Exit code: 0 when all agree, 1 when something does not.
${jsonRule}`,
  },
} satisfies Record<string, CommandWords>;

export type CommandName = keyof typeof words;

export const commandWords: Readonly<Record<CommandName, CommandWords>> = words;
