import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RestartPolicy } from './restart-policy.ts';

const assay = fileURLToPath(new URL('../assay.mjs', import.meta.url));

/** How long processes may take to finish before they are killed. The stand-ins get the rest of the 15 s. */
const stopPatienceMs = 11_000;

export interface ProcessGroup {
  /** Runs `assay <command>` and keeps it running until `stop`. */
  keepRunning(command: string): void;
  /** Restarts every process, also one that waits after a failure. */
  restart(): void;
  stop(): Promise<void>;
}

export interface ProcessGroupOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** A process ended in order after a signal; it is not restarted. */
  readonly onStopAsked: (command: string) => void;
  /** A process failed again and again right after its start. */
  readonly onHopeless: (command: string) => void;
}

interface Member {
  child: ChildProcess | null;
  startedAt: number;
  readonly policy: RestartPolicy;
  nextStart?: NodeJS.Timeout;
  isRestarting: boolean;
}

/** The product's own processes. One that fails is restarted. */
export function createProcessGroup(options: ProcessGroupOptions): ProcessGroup {
  const members = new Map<string, Member>();
  let isStopping = false;

  const launch = (command: string, member: Member): void => {
    clearTimeout(member.nextStart);
    member.startedAt = performance.now();
    member.isRestarting = false;
    member.child = spawn(process.execPath, [assay, command], {
      env: options.environment,
      // The channel ends when this process does, however it ends: the child then stops too. A process group
      // of its own, so that Ctrl-C reaches only us and everything stops in order.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    // For example when the system has no process left.
    member.child.on('error', (error) => {
      if (member.child?.pid !== undefined) return;
      member.child = null;
      if (!isStopping) startLater(command, member, error.message);
    });
    member.child.once('exit', (code, signal) => {
      member.child = null;
      if (isStopping) return;
      if (member.isRestarting) launch(command, member);
      else if (code === 0 || signal === 'SIGTERM' || signal === 'SIGINT') options.onStopAsked(command);
      else startLater(command, member, signal ?? `exit ${code}`);
    });
  };

  const startLater = (command: string, member: Member, how: string): void => {
    const { delayMs, looksHopeless } = member.policy.afterEnd(performance.now() - member.startedAt);
    options.say(`assay ${command} ended (${how}); starting it again.`);
    member.nextStart = setTimeout(() => launch(command, member), delayMs);
    if (looksHopeless) options.onHopeless(command);
  };

  return {
    keepRunning: (command) => {
      const member = { child: null, startedAt: 0, policy: new RestartPolicy(), isRestarting: false };
      members.set(command, member);
      launch(command, member);
    },
    restart: () => {
      for (const [command, member] of members) {
        if (!member.child) launch(command, member);
        else {
          member.isRestarting = true;
          member.child.kill('SIGTERM');
        }
      }
    },
    stop: async () => {
      isStopping = true;
      for (const { nextStart } of members.values()) clearTimeout(nextStart);
      await Promise.all([...members.values()].map(({ child }) => child && stopProcess(child)));
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
