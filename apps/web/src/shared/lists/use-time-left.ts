import { useEffect, useState } from 'react';
import type { AnyList } from './any-list.ts';
import { estimateMsLeft, type ProgressSample, withSample } from './time-left.ts';

/** The time that a running list still takes, from what this page has seen of it; null while that says too little. */
export function useTimeLeft({ progress, run_state }: AnyList): number | null {
  const [samples, setSamples] = useState<readonly ProgressSample[]>([]);
  const isRunning = run_state === 'running';
  useEffect(() => {
    setSamples((known) => (isRunning ? withSample(known, { atMs: Date.now(), progress }) : []));
  }, [isRunning, progress]);
  return estimateMsLeft(samples);
}
