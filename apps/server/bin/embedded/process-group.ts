import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const assay = fileURLToPath(new URL('../assay.mjs', import.meta.url));

/** How long processes may take to finish what they are at before they are ended. */
const stopPatienceMs = 15_000;
const restartDelayMs = { first: 500, max: 15_000 } as const;
/** One that has never run for a while and falls over this often will not come up by itself. */
const hopelessAfter = 4;

export interface ProcessGroup {
  /** Runs `assay <command>` and keeps it running until `stop`. */
  keepRunning(command: string, options?: { nodeArguments?: string[] }): void;
  /** Resolves with the command that fell over again and again right after its start; never while all goes well. */
  readonly hopeless: Promise<string>;
  stop(): Promise<void>;
}

/** The product's own processes, started again when one falls over. */
export function createProcessGroup(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): ProcessGroup {
  const running = new Map<string, ChildProcess>();
  const restarts = new Map<string, NodeJS.Timeout>();
  let isStopping = false;
  const hopeless = Promise.withResolvers<string>();
  const earlyEnds = new Map<string, number>();

  const launch = (command: string, nodeArguments: string[], delayMs: number): void => {
    const startedAt = Date.now();
    const child = spawn(process.execPath, [...nodeArguments, assay, command], {
      env: environment,
      // The channel ends when this process does, however it ends: that tells the child to stop too. A process group
      // of its own, so that Ctrl-C reaches only us and everything stops in order.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    running.set(command, child);
    child.once('exit', (code, signal) => {
      running.delete(command);
      if (isStopping) return;
      // One that ran for a good while earns a quick restart; one that falls over at once waits longer each time.
      const ranWell = Date.now() - startedAt > restartDelayMs.max;
      const nextDelayMs = ranWell ? restartDelayMs.first : delayMs;
      earlyEnds.set(command, ranWell ? 0 : (earlyEnds.get(command) ?? 0) + 1);
      if (earlyEnds.get(command) === hopelessAfter) hopeless.resolve(command);
      say(`assay ${command} ended (${signal ?? `exit ${code}`}); starting it again.`);
      restarts.set(
        command,
        setTimeout(
          () => launch(command, nodeArguments, Math.min(nextDelayMs * 2, restartDelayMs.max)),
          nextDelayMs,
        ),
      );
    });
  };

  return {
    hopeless: hopeless.promise,
    keepRunning: (command, { nodeArguments = [] } = {}) =>
      launch(command, nodeArguments, restartDelayMs.first),
    stop: async () => {
      isStopping = true;
      for (const timer of restarts.values()) clearTimeout(timer);
      await Promise.all([...running.values()].map(stopProcess));
    },
  };
}

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const lastResort = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
    child.once('exit', () => {
      clearTimeout(lastResort);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
