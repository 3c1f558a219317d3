import { setTimeout as pause } from 'node:timers/promises';
import { longestDelayMs } from '../event-loop-delay.ts';
import { type Abuse, type Action, phaseCount, type Scene } from './action.ts';
import type { Metronome } from './metronome.ts';
import type { Kind, Neighbour, Sample } from './neighbour.ts';

/** Below this, differences are noise of the machine. */
export const p95MsMin: Readonly<Record<Kind, number>> = { me: 10, check: 50 };
export const slowerMax = 3;
export const blockMsMax = 100;
/** The control phases are shorter, because their calls differ less. */
const controlPart = 0.6;
/** For what is still under way when a phase ends. */
const settleMsMax = 45_000;
const lastTurnsMsMax = 30_000;
/** After a refusal or a lost connection the stranger waits, since more of them gain nothing. The action `flood` does not. */
const afterRefusalMs = 100;

export interface Times {
  readonly controlMs: number;
  readonly abuseMs: number;
  /** How many times slower, with `p95MsMin` as the least control. */
  readonly ratio: number;
}

export interface Measured {
  readonly name: string;
  readonly what: string;
  /** 95th percentiles of the neighbour. */
  readonly times: Readonly<Record<Kind, Times>>;
  readonly refusals: number;
  readonly failures: number;
  /** The longest block of an event loop in a phase of this kind, without what the machine itself stood still in that phase. */
  readonly blockMs: { readonly control: number; readonly api: number; readonly worker: number };
  /** The longest standstill of the machine. */
  readonly machineMs: number;
  /** Answers to the stranger, by status; 0 without one. */
  readonly answers: Readonly<Record<string, number>>;
  /** The demands that were missed. */
  readonly faults: readonly string[];
}

export interface Instruments {
  readonly scene: Scene;
  readonly neighbour: Neighbour;
  readonly metronome: Metronome;
}

/** The stranger rests and works in turn, so that a busy machine slows both alike. */
export async function measureAction(
  { scene, neighbour, metronome }: Instruments,
  action: Action,
  abuseSeconds: number,
): Promise<Measured> {
  const abuse = await action.prepare(scene);
  await neighbour.moveIn(scene.product);
  try {
    const phaseMs = (abuseSeconds * 1_000) / phaseCount;
    return await alternate({ scene, neighbour, metronome }, action, { abuse, phaseMs });
  } finally {
    await abuse.end?.();
  }
}

const noTimes: Times = { controlMs: 0, abuseMs: 0, ratio: 0 };

/** An action that could not be measured to its end, for example because the product exited. */
export const failed = ({ name, what }: Action, error: Error): Measured => ({
  name,
  what,
  times: { me: noTimes, check: noTimes },
  refusals: 0,
  failures: 0,
  blockMs: { control: 0, api: 0, worker: 0 },
  machineMs: 0,
  answers: {},
  faults: [`did not end: ${error.stack ?? error.message} ${error.cause ?? ''}`],
});

interface Parts {
  readonly abuse: Abuse;
  readonly phaseMs: number;
}

async function alternate(
  { scene, neighbour, metronome }: Instruments,
  action: Action,
  { abuse, phaseMs }: Parts,
): Promise<Measured> {
  const samples: Sample[] = [];
  const answers: Record<string, number> = {};
  const blockMs = { control: 0, api: 0, worker: 0 };
  let machineMs = 0;
  const readPhase = async () => {
    const blocks = await readBlocks(scene, metronome);
    machineMs = Math.max(machineMs, blocks.machine);
    return blocks;
  };
  const settle = () => neighbour.settle({ ...settledMsMax(samples), withinMs: settleMsMax });
  // The machine may be too busy for that.
  await settle();
  let isSettled = true;
  // Calls that are still slow would spoil the next control phase.
  for (let phase = 0; phase < phaseCount && isSettled; phase += 1) {
    await readBlocks(scene, metronome);
    await neighbour.measure('control');
    await pause(phaseMs * controlPart);
    await neighbour.rest();
    const ofControl = await readPhase();
    blockMs.control = Math.max(blockMs.control, ofControl.api, ofControl.worker);

    const isOver = await workBeside(neighbour, action, abuse, { phase, phaseMs, answers });
    const ofAbuse = await readPhase();
    blockMs.api = Math.max(blockMs.api, ofAbuse.api);
    blockMs.worker = Math.max(blockMs.worker, ofAbuse.worker);
    samples.push(...(await neighbour.report()));
    isSettled = isOver && (await settle());
  }
  const count = (outcome: Sample['outcome']) => samples.filter((sample) => sample.outcome === outcome).length;
  const measured = {
    name: action.name,
    what: action.what,
    times: { me: timesOf(samples, 'me'), check: timesOf(samples, 'check') },
    refusals: count('refused'),
    failures: count('failed'),
    blockMs,
    machineMs,
    answers,
  };
  return { ...measured, faults: judge(measured, isSettled) };
}

interface Shift {
  readonly phase: number;
  readonly phaseMs: number;
  /** Counts the answers to the stranger. */
  readonly answers: Record<string, number>;
}

/** A phase in which the stranger works and the neighbour measures. False if calls of the stranger are still under way long after it. */
export async function workBeside(
  neighbour: Neighbour,
  action: Action,
  abuse: Abuse,
  shift: Shift,
): Promise<boolean> {
  await neighbour.measure('abuse');
  const lastTurns = work(action, abuse, shift);
  await pause(shift.phaseMs);
  const [isOver] = await Promise.all([
    Promise.race([lastTurns.then(() => true), pause(lastTurnsMsMax, false)]),
    neighbour.rest(),
  ]);
  await abuse.rest?.();
  return isOver;
}

/** Turns of all connections until the phase is over. */
async function work(action: Action, abuse: Abuse, { phase, phaseMs, answers }: Shift): Promise<void> {
  const startedAt = performance.now();
  const connection = async () => {
    for (;;) {
      const passed = (performance.now() - startedAt) / phaseMs;
      if (passed >= 1) return;
      const status =
        (await abuse.turn({ phase, progress: (phase + passed) / phaseCount }).catch(() => null)) ?? 0;
      answers[status] = (answers[status] ?? 0) + 1;
      if (action.name !== 'flood' && [0, 429, 503].includes(status)) await pause(afterRefusalMs);
    }
  };
  await Promise.all(Array.from({ length: action.connections }, connection));
}

/** Since the last reading. */
async function readBlocks({ product }: Scene, metronome: Metronome) {
  const [api, worker, machine] = await Promise.all([
    longestDelayMs(product.metricsUrl),
    longestDelayMs(product.workerMetricsUrl),
    metronome.longestMs(),
  ]);
  return { api: Math.max(0, api - machine), worker: Math.max(0, worker - machine), machine };
}

/** When the neighbour is as fast as in the control phases so far. */
function settledMsMax(samples: readonly Sample[]) {
  const [meMs, checkMs] = (['me', 'check'] as const).map(
    (kind) => slowerMax * Math.max(p95MsMin[kind], p95Of(samples, kind, 'control')),
  );
  return { meMs: meMs ?? 0, checkMs: checkMs ?? 0 };
}

function timesOf(samples: readonly Sample[], kind: Kind): Times {
  const controlMs = p95Of(samples, kind, 'control');
  const abuseMs = p95Of(samples, kind, 'abuse');
  return { controlMs, abuseMs, ratio: abuseMs / Math.max(p95MsMin[kind], controlMs) };
}

/** A fast refusal is no fast answer, so refusals do not count here; they miss a demand of their own. */
function p95Of(samples: readonly Sample[], kind: Kind, phase: Sample['phase']): number {
  const times = samples
    .filter((sample) => sample.kind === kind && sample.phase === phase && sample.outcome !== 'refused')
    .map(({ ms }) => ms)
    .sort((left, right) => left - right);
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.95))] ?? 0;
}

function judge(measured: Omit<Measured, 'faults'>, isSettled: boolean): string[] {
  const { times, refusals, failures, blockMs } = measured;
  const faults: string[] = [];
  for (const [kind, words] of [
    ['me', 'users/me'],
    ['check', 'a check'],
  ] as const) {
    if (times[kind].ratio > slowerMax)
      faults.push(`${words} is ${times[kind].ratio.toFixed(1)} times slower`);
  }
  if (refusals > 0) faults.push(`${refusals} refusals`);
  if (failures > 0) faults.push(`${failures} failures`);
  for (const role of ['api', 'worker'] as const) {
    if (blockMs[role] > blockMsMax)
      faults.push(`the event loop of the ${role} stood still for ${blockMs[role].toFixed(0)} ms`);
  }
  if (!isSettled)
    faults.push('long after the stranger stopped, their calls were under way or those of the neighbour slow');
  return faults;
}
