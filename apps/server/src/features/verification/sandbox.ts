import { SANDBOX_EMAILS_MAX } from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';

export interface SandboxParts extends AttemptParts {
  /** Whether the operator configured a mail world for the sandbox. */
  readonly hasSandbox: boolean;
}

/** Free work is limited, so that it cannot keep workers and tables busy. */
const callsPerHour = 1_000;

/**
 * Whether a call is for the sandbox, because it asks for it or comes from a test key. Refuses it when there is no sandbox.
 * See docs/decisions/sandbox-is-a-mail-world.md.
 */
export async function admitToSandbox(
  parts: SandboxParts,
  { accountId, key }: Caller,
  isAskedFor: boolean | undefined,
): Promise<boolean> {
  if (!isAskedFor && !key?.grant?.isTest) return false;
  if (!parts.hasSandbox) throw new AppError('sandbox_unavailable');
  await requireAttempt(parts, { bucket: 'sandbox', key: accountId, max: callsPerHour, windowSeconds: 3_600 });
  return true;
}

export const withinSandbox = <Limits extends { readonly rowsMax: number }>(limits: Limits) => ({
  ...limits,
  rowsMax: Math.min(limits.rowsMax, SANDBOX_EMAILS_MAX),
  isSandbox: true,
});

export const sandboxMark = (isSandbox: boolean): { sandbox?: true } => (isSandbox ? { sandbox: true } : {});
