import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Counts, KnownTruth, ViolationRecord } from '@assay/mail-world';
import { pathOf } from '../harness/measure.ts';

interface WorldConduct {
  total: Counts;
  violationCount: number;
  violations: ViolationRecord[];
}

export interface BenchWorld {
  dns: string;
  smtpPort: number;
  allowRanges: string[];
  /** Loopback addresses by host name. */
  addresses: Record<string, string>;
  /** What is true of the mailboxes of the truth zone. */
  truths: KnownTruth[];
  /** What clients did since the last call. */
  takeConduct(): Promise<WorldConduct>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** 212 ordinary domains by default; the hosts that are hard to judge; or a few that take one command at a time. */
  zone?: 'truth' | 'slow';
  replyDelayMs: number;
  maxConnectionsPerHost?: number;
}

export async function startWorld(options: WorldOptions): Promise<BenchWorld> {
  const child = fork(pathOf('./world-process.ts', import.meta.url), [JSON.stringify(options)]);
  const [description] = await once(child, 'message');
  return {
    ...description,
    takeConduct: async () => {
      child.send('conduct');
      const [conduct] = await once(child, 'message');
      return conduct;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
