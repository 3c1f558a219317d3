// Apart from the code, so that `--help` loads none of it.

export const formatNames = ['table', 'json', 'jsonl', 'csv'] as const;

export const verifyUsage = `Usage:
  assay verify [address …] [options]

  --file F             read addresses from a file, one on a line or a CSV; - is standard input
  --format NAME        ${formatNames.join(', ')} (table)
  --json               the same as --format jsonl: one JSON value on each line
  --evidence           say how each verdict came about
  --concurrency N      addresses under way at one time (20000)
  --timeout S          seconds to wait for any one answer of a name server or mail host
  --patience S         seconds to go on asking hosts that put us off (60)
  --helo NAME          the name to introduce ourselves by (this machine's)
  --mail-from ADDRESS  the sender to name (verify@ the name above)
  --dns HOST:PORT      a name server, may be repeated (the system's)
  --smtp-port N        the port of mail hosts (25)
  --allow-range CIDR   a private range that may be dialled, may be repeated; CIDR@PORT gives it a port of its own

Verdicts come as they are found, in any order. The exit code says whether the command ran, not what it found.`;

export const explainUsage = `Usage:
  assay explain [reply …] [--file F|-] [--format ${formatNames.join('|')}]
  assay explain --mails FOLDER [--format ${formatNames.join('|')}]

What a reply of a mail host to RCPT means, without asking anyone: '550 5.1.1 User unknown'. VALID here means accepted. In
a file each line is a reply; lines whose code is followed by a hyphen go with the line after them. A \\n in a reply given
on the command line starts its next line.

--mails says what mails mean that came back after sending: every file of the folder and of those in it, one mail or an mbox of many.
Delivery reports, complaints and automatic answers get a line for each recipient.

--json is the same as --format jsonl: one JSON value on each line.`;
