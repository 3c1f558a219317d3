import type { Version } from '@assay/contract';

export const VERSION_CHECK_INTERVAL_MS = 5 * 60_000;

interface VersionWatchOptions {
  /** The body of `/version.json`. */
  readonly fetchVersion: () => Promise<unknown>;
  /** Told once per commit that differs from the one this page began with. */
  readonly onNewCommit: (commit: string) => void;
}

/** Notices that the server has moved on to another commit. Quiet: a check that fails is tried again at the next one. */
export function createVersionWatch({ fetchVersion, onNewCommit }: VersionWatchOptions) {
  let knownCommit: string | undefined;

  return {
    async check(): Promise<void> {
      const answer = await fetchVersion().catch(() => undefined);
      const commit = (answer as Partial<Version> | null | undefined)?.commit;
      if (typeof commit !== 'string' || commit === knownCommit) return;

      const isFirstAnswer = knownCommit === undefined;
      knownCommit = commit;
      if (!isFirstAnswer) onNewCommit(knownCommit);
    },
  };
}

export async function fetchVersionFile(): Promise<unknown> {
  const response = await fetch('/version.json', { cache: 'no-store' });
  return response.json();
}
