import { userInfo } from 'node:os';
import { REASON_LENGTH_MAX } from '@assay/contract/operator';
import type { ActorAndReason } from '../features/operator/index.ts';
import { type CommandIo, UsageError } from './command.ts';

/** The argument that says why, for the log of operators. */
export const reasonOptions = { reason: { type: 'string' } } as const;

/** What the log of operators says about a command: who runs it, and why. */
export function readActorAndReason(
  { reason: text }: { readonly reason?: string | undefined },
  { env }: CommandIo,
  option = 'reason',
): ActorAndReason {
  const reason = text?.trim() ?? '';
  if (reason.length === 0 || reason.length > REASON_LENGTH_MAX)
    throw new UsageError(`--${option} takes a text of up to ${REASON_LENGTH_MAX} characters.`);
  return { actorId: null, actorName: env.SUDO_USER ?? userName(), reason };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.()}`;
  }
}
