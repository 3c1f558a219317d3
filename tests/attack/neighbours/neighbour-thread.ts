// A neighbour: calls users/me and checks an address in a steady rhythm, whether or not earlier calls were answered, so that a standstill
// counts for all calls that wait for its end. On a separate thread, so that the stranger's own work does not count as waiting.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { API_BASE } from '@assay/contract';
import { type Answer, sendHttp, type Target } from '../send.ts';
import type { HeadersOf, Kind, Outcome, Question, Sample, SettleLimits, Word } from './neighbour.ts';

/** Two customers, each far below the limit of 6,000 calls a minute. */
const everyMs: Record<Kind, number> = { me: 150, check: 250 };
const waitSeconds = 10;
const patienceMs = (waitSeconds + 5) * 1_000;
const goodCallsInARow = 3;
/** Seldom enough to stay below the limit for as long as it may take. */
const settleEveryMs = 150;

const tell = (word: Word) => parentPort?.postMessage(word);
const underWay = new Set<Promise<unknown>>();
let samples: Sample[] = [];
let phase: Sample['phase'] | null = null;
let home: { readonly target: Target; readonly headers: HeadersOf } | undefined;

const requests = {
  me: { method: 'GET', path: `${API_BASE}/users/me`, headers: {} },
  check: {
    method: 'POST',
    path: `${API_BASE}/validations/email_validation?wait=${waitSeconds}`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"email_address":"jane@exists.test"}'),
  },
} as const;

async function call(kind: Kind): Promise<{ ms: number; outcome: Outcome }> {
  if (!home) throw new Error('The neighbour has not moved in.');
  const headers = { ...requests[kind].headers, ...home.headers[kind] };
  const startedAt = performance.now();
  const answer = await sendHttp(home.target, { ...requests[kind], headers }, patienceMs);
  return { ms: performance.now() - startedAt, outcome: outcomeOf(answer) };
}

function outcomeOf(answer: Answer | null): Outcome {
  if (answer?.status === 200) return 'answered';
  if (answer?.status === 429 || answer?.status === 503) return 'refused';
  // 202: no verdict within the wait.
  return 'failed';
}

async function measure(kind: Kind, during: Sample['phase']): Promise<void> {
  samples.push({ kind, phase: during, ...(await call(kind)) });
}

for (const kind of ['me', 'check'] as const) {
  setInterval(() => {
    if (phase === null) return;
    const measuring = measure(kind, phase).finally(() => underWay.delete(measuring));
    underWay.add(measuring);
  }, everyMs[kind]);
}

/** Calls one after the other until a few in a row are as fast as they should be. */
async function settle({ meMs, checkMs, withinMs }: SettleLimits): Promise<boolean> {
  const until = performance.now() + withinMs;
  let good = 0;
  while (good < goodCallsInARow) {
    const [me, check] = [await call('me'), await call('check')];
    const isGood =
      me.outcome === 'answered' && check.outcome === 'answered' && me.ms <= meMs && check.ms <= checkMs;
    good = isGood ? good + 1 : 0;
    if (performance.now() > until) return false;
    await pause(settleEveryMs);
  }
  return true;
}

parentPort?.on('message', async (question: Question) => {
  if (question.kind === 'move in') {
    home = question;
    tell({ kind: 'done' });
  } else if (question.kind === 'measure') {
    phase = question.phase;
    tell({ kind: 'done' });
  } else if (question.kind === 'rest') {
    phase = null;
    await Promise.all(underWay);
    tell({ kind: 'done' });
  } else if (question.kind === 'settle') {
    tell({ kind: 'settled', isSettled: await settle(question.limits) });
  } else {
    tell({ kind: 'samples', samples });
    samples = [];
  }
});
