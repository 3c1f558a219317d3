import { spawnSync } from 'node:child_process';

/** Whether this machine has the program. Names the argument that makes it end at once where that is not `--version`. */
export const hasProgram = (name: string, versionArgument = '--version'): boolean =>
  spawnSync(name, [versionArgument], { stdio: 'ignore' }).status === 0;
