import { parseArgs } from 'node:util';
import { explainReply as explainBouncedReply } from '../bounces/explain-bounce.ts';
import { classifyReply, parseWrittenReply } from '../judgement/classify-reply.ts';
import { resultOf } from '../judgement/reasons.ts';
import { explainMails } from './explain-mails.ts';
import { fileBytes } from './file-bytes.ts';
import { formatNamed, type Row } from './formats.ts';
import { type CliIo, exitCodes, runReporting, TextSink, UsageError } from './io.ts';
import { explainUsage } from './usages.ts';

/** `assay explain`: replies in, their meaning out. Answers the exit code. */
export function runExplain(argv: string[], io: CliIo): Promise<number> {
  return runReporting(io, explainUsage, () => explain(argv, io));
}

async function explain(argv: string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      mails: { type: 'string' },
      format: { type: 'string', default: 'table' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    io.stdout.write(`${explainUsage}\n`);
    return exitCodes.ran;
  }
  const formatName = values.json ? 'jsonl' : values.format;
  if (values.mails !== undefined) return explainMails(values.mails, formatNamed(formatName, 'file'), io);
  if (positionals.length === 0 && values.file === undefined) throw new UsageError('no reply given');
  const format = formatNamed(formatName, 'reply');
  const sink = new TextSink(io.stdout);
  let count = 0;
  await sink.write(
    format.head(['reply', 'result', 'reason', 'rule', 'retry_after_s', 'class', 'subject', 'action']),
  );
  for await (const reply of repliesFrom(positionals, values.file, io)) {
    await sink.write(format.row(reply.replaceAll('\n', ' '), explainReply(reply), count === 0));
    count += 1;
  }
  await sink.write(format.tail(count));
  await sink.end();
  return exitCodes.ran;
}

function explainReply(reply: string): Row {
  const parsed = parseWrittenReply(reply);
  if (parsed === undefined) throw new UsageError(`"${reply}" is not a reply: write its three digits first`);
  const { reason, rule, retryAfterMs } = classifyReply(parsed.code, parsed.text);
  const [bounce] = (explainBouncedReply(reply) ?? []).map(({ class: bounceClass, subject, action }) => ({
    class: bounceClass,
    subject,
    action,
  }));
  return {
    result: resultOf(reason),
    reason,
    rule,
    retry_after_s: retryAfterMs === undefined ? undefined : retryAfterMs / 1_000,
    ...bounce,
  };
}

async function* repliesFrom(
  positionals: string[],
  file: string | undefined,
  io: CliIo,
): AsyncGenerator<string> {
  for (const reply of positionals) yield reply.replaceAll('\\n', '\n');
  if (file === undefined) return;
  const [{ createInterface }, { Readable }] = await Promise.all([
    import('node:readline'),
    import('node:stream'),
  ]);
  const lines = createInterface({ input: file === '-' ? io.stdin : Readable.from(fileBytes(file)) });
  let reply: string[] = [];
  for await (const line of lines) {
    if (line.trim() === '') continue;
    reply.push(line);
    if (/^\s*\d{3}-/.test(line)) continue;
    yield reply.join('\n');
    reply = [];
  }
  if (reply.length > 0) yield reply.join('\n');
}
