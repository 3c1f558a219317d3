import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { AddressFlags } from '../address/address-flags.ts';
import type { Finding } from '../finding.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Items } from '../scheduling/checks/run.ts';
import { createVerifier, type VerifierOptions, type VerifierTimeouts } from '../verifier.ts';
import { fileBytes } from './file-bytes.ts';
import { formatNamed, type Row } from './formats.ts';
import { HeapGrowth } from './heap-growth.ts';
import { type CliIo, exitCodes, runReporting, TextSink, UsageError } from './io.ts';
import { ProgressBar } from './progress-bar.ts';
import { type ReadingProgress, readAddresses } from './read-addresses.ts';
import { verifyUsage } from './usages.ts';

/** `assay verify`: addresses in, verdicts out. Answers the exit code. */
export function runVerify(argv: string[], io: CliIo): Promise<number> {
  return runReporting(io, verifyUsage, () => verify(argv, io));
}

async function verify(argv: string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      format: { type: 'string', default: 'table' },
      json: { type: 'boolean', default: false },
      evidence: { type: 'boolean', default: false },
      concurrency: { type: 'string' },
      timeout: { type: 'string' },
      patience: { type: 'string', default: '60' },
      helo: { type: 'string' },
      'mail-from': { type: 'string' },
      dns: { type: 'string', multiple: true },
      'smtp-port': { type: 'string' },
      'allow-range': { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    io.stdout.write(`${verifyUsage}\n`);
    return exitCodes.ran;
  }
  if (positionals.length === 0 && values.file === undefined) throw new UsageError('no address given');

  const format = formatNamed(values.json ? 'jsonl' : values.format, 'email');
  const inFlightMax = values.concurrency && numberOf('--concurrency', values.concurrency, 1, 1_000_000);
  const patienceMs = numberOf('--patience', values.patience, 0, 604_800) * 1_000;
  const source = openSource(positionals, values.file, io);
  const verifier = createVerifier(verifierOptions(values, io));
  const progress = new ProgressBar(io.stderr, source.share);
  const sink = new TextSink(io.stdout);
  const heapGrowth = new HeapGrowth();
  try {
    let count = 0;
    await sink.write(format.head(columnsOf(values.evidence)));
    const findings = verifier.verifyAll(source.addresses, {
      patienceMs,
      evidence: values.evidence,
      lingers: false,
      ...(inFlightMax && { inFlightMax }),
    });
    for await (const batch of findings.batches()) {
      progress.clear();
      heapGrowth.bound(count);
      for (const finding of batch) {
        progress.count(finding.result);
        const written = sink.write(format.row(finding.email, rowOf(finding, values.evidence), count === 0));
        count += 1;
        if (written !== undefined) await written;
      }
    }
    await sink.write(format.tail(count));
    progress.end();
    await sink.end();
  } finally {
    progress.end();
    await verifier.close();
  }
  return exitCodes.ran;
}

interface Source {
  addresses: Items<string>;
  share: () => number | undefined;
}

function openSource(positionals: string[], file: string | undefined, io: CliIo): Source {
  if (file === undefined) return { addresses: positionals, share: () => undefined };
  const size = file === '-' ? undefined : statSync(file).size;
  const bytes = file === '-' ? io.stdin : fileBytes(file);
  const progress: ReadingProgress = { bytes: 0 };
  return {
    addresses: joined(positionals, readAddresses(bytes, progress)),
    share: () => (size === undefined ? undefined : size === 0 ? 1 : progress.bytes / size),
  };
}

async function* joined(first: string[], rest: AsyncGenerator<string[]>): AsyncGenerator<string[]> {
  yield first;
  yield* rest;
}

interface Flags {
  helo?: string | undefined;
  'mail-from'?: string | undefined;
  dns?: string[] | undefined;
  'smtp-port'?: string | undefined;
  'allow-range'?: string[] | undefined;
  timeout?: string | undefined;
}

function verifierOptions(flags: Flags, io: CliIo): VerifierOptions {
  const defaults = io.defaults ?? {};
  const dns = flags.dns ?? (defaults.dns === undefined ? undefined : [defaults.dns]);
  const allowRanges = flags['allow-range'] ?? defaults.allowRanges;
  const smtpPort = flags['smtp-port']
    ? numberOf('--smtp-port', flags['smtp-port'], 1, 65_535)
    : defaults.smtpPort;
  return {
    ...(dns && { dns }),
    ...(allowRanges && { allowRanges }),
    ...(smtpPort && { smtpPort }),
    ...(flags.helo && { helo: flags.helo }),
    ...(flags['mail-from'] !== undefined && { mailFrom: flags['mail-from'] }),
    ...(flags.timeout && { timeouts: timeoutsOf(numberOf('--timeout', flags.timeout, 0.1, 3_600)) }),
  };
}

function timeoutsOf(seconds: number): VerifierTimeouts {
  const ms = seconds * 1_000;
  return { dnsMs: ms, connectMs: ms, greetingMs: ms, tlsMs: ms, commandMs: ms, recipientMs: ms };
}

function numberOf(flag: string, text: string, min: number, max: number): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max))
    throw new UsageError(`${flag} "${text}" is not a number from ${min} to ${max}`);
  return number;
}

const baseColumns = ['email', 'result', 'reason', 'flags', 'did_you_mean'];
const columnsOf = (withEvidence: boolean): string[] =>
  withEvidence ? [...baseColumns, 'evidence'] : baseColumns;

const usualRows = new WeakMap<AddressFlags, Map<Reason, Row>>();

/** Most addresses of a list share few findings, and those are one object each. */
function rowOf(finding: Finding<string>, withEvidence: boolean): Row {
  const { reason, flags, didYouMean, evidence } = finding;
  if (withEvidence) return { ...describe(finding), evidence };
  if (didYouMean !== undefined) return describe(finding);

  const byReason = usualRows.get(flags) ?? new Map<Reason, Row>();
  const known = byReason.get(reason);
  if (known !== undefined) return known;
  const found = describe(finding);
  usualRows.set(flags, byReason.set(reason, found));
  return found;
}

const describe = ({ result, reason, flags, didYouMean }: Finding<string>): Row => ({
  result,
  reason,
  flags: namesOf(flags),
  did_you_mean: didYouMean,
});

const namesOf = (flags: AddressFlags): string[] =>
  Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : []));
