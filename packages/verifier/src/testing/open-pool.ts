import { createMemoryLedger, Governor } from '../conduct/governor.ts';
import type { EvidenceStage } from '../evidence.ts';
import type { HostPermit, HostPermits, HostRest } from '../scheduling/hosts/host-permits.ts';
import { HostPool } from '../scheduling/hosts/host-pool.ts';
import type { PoolNeighbours, PoolOwner } from '../scheduling/hosts/pool-services.ts';
import type { Provider } from '../scheduling/hosts/providers.ts';
import { Agenda } from '../scheduling/jobs/agenda.ts';
import { MailDomain } from '../scheduling/jobs/job.ts';
import type { SessionEnding } from '../smtp/session-types.ts';
import { FakeSession } from './fake-session.ts';
import { buildJob, RecordingClient } from './jobs.ts';
import { ManualClock } from './manual-clock.ts';

export const unpipelined = { hasPipelining: false };
export const turn = () => new Promise(setImmediate);

interface PoolSetup {
  limits?: { recipientsPerTransaction?: number; connectionsPerHost?: number; idleMs?: number };
  permit?: () => Promise<HostPermit | HostRest>;
  provider?: Provider;
}

/** A pool with fake sessions, whose owner writes down what it hears. */
export function openPool({ limits = {}, permit, provider = { name: 'example.com' } }: PoolSetup = {}) {
  const clock = new ManualClock();
  const sessions: FakeSession[] = [];
  const log: string[] = [];
  /** What happens to transactions and connections. */
  const events: string[] = [];
  /** The evidence of all answers and failures. */
  const stages: EvidenceStage[] = [];
  /** Pauses that we pass on to other processes: those of a provider are negative. */
  const heldOff: number[] = [];
  const situation = {
    released: 0,
    reads: 0,
    isCrowded: false,
    isMoreComing: false,
    mayRest: true,
    waits: true,
    short: [] as boolean[],
  };
  const owner: PoolOwner = {
    admit: (_pool, jobs) => jobs,
    mayStillAsk: () => true,
    onOwnerStops: ({ domain }, { words }) => events.push(`${domain.name} stops us: ${words}`),
    onAccepted: (_pool, { mailbox }, _session, code) => log.push(`${mailbox} ${code}`),
    onReply: (_pool, { mailbox }, { reason }, stage) => {
      log.push(`${mailbox} ${reason}`);
      stages.push(stage);
    },
    onRead: () => {
      situation.reads += 1;
    },
    onTransactionOver: (_session, { name }) => events.push(`transaction of ${name} over`),
    onConnectionGone: () => events.push('connection gone'),
    isMoreComing: () => situation.isMoreComing,
    onNameUnsupported: ({ mailbox }) => log.push(`${mailbox} unsupported`),
    onHostFailed: ({ mailbox }, reason, stage) => {
      log.push(`${mailbox} failed: ${reason}`);
      stages.push(stage);
    },
    onHostSilent: (host) => events.push(`${host} is silent`),
    deferUnasked: (_pool, { mailbox }, _cause, stage) => {
      log.push(`${mailbox} put off`);
      stages.push(stage);
    },
    waitsUntil: (_job, time, isRepeated) => {
      log.push(`waits until +${time - start}${isRepeated ? ' again' : ''}`);
      return situation.waits;
    },
    onHeldOff: ({ mailbox }, { reason }, afterMs, stage) => {
      log.push(`${mailbox} held off for ${afterMs}: ${reason} at ${stage.stage}`);
      stages.push(stage);
    },
  };
  const neighbours: PoolNeighbours = {
    onShortOfPermits: (_pool, isShort) => situation.short.push(isShort),
    isCrowded: () => situation.isCrowded,
    mayRest: () => situation.mayRest,
    onConnectionGone: () => events.push('room for neighbours'),
    onHeldBack: () => events.push('held back'),
    onProviderRests: (_provider, rest) => pool.rest(rest),
  };
  const permits: HostPermits = {
    acquire:
      permit ??
      (async () => ({
        release: () => {
          situation.released += 1;
        },
      })),
    holdOff: (_, forMs, scope) => heldOff.push(scope === 'host' ? forMs : -forMs),
  };
  const start = clock.now();
  const pool = new HostPool('mx', ['192.0.2.1', '192.0.2.2'], '192.0.2.1', provider, {
    clock,
    agenda: new Agenda(clock),
    governor: new Governor(createMemoryLedger(clock), clock),
    owner,
    neighbours,
    permits,
    ourNames: [],
    limits: { recipientsPerTransaction: 100, connectionsPerHost: 8, idleMs: 2_000, ...limits },
    openSession: (target, sessionOwner) => {
      const session = new FakeSession(target, sessionOwner);
      sessions.push(session);
      return session;
    },
  });
  const domain = new MailDomain('example.com');
  const client = new RecordingClient();
  const add = async (count: number, name = 'u') => {
    for (let index = 1; index <= count; index++) pool.add(buildJob(`${name}${index}`, client, domain));
    await turn();
  };
  const open = async (features = {}) => {
    const session = sessions.at(-1) as FakeSession;
    session.ready(features);
    await turn();
    return session;
  };
  const end = async (session: FakeSession, ending: SessionEnding) => {
    session.end(ending);
    await turn();
  };
  return { clock, pool, sessions, log, events, stages, heldOff, situation, domain, client, add, open, end };
}

export const ok = (count: number) => Array<string>(count).fill('250 OK');
