import { REASON_LENGTH_MAX } from '@assay/contract/operator';
import { UsageError } from './command.ts';

/** The argument that says why, for the log of operators. */
export const orderOptions = { reason: { type: 'string' } } as const;

/** For commands that scripts called before there was a log. */
export const readOptionalOrder = ({ reason = 'Not given' }: { readonly reason?: string }) =>
  readOrder({ reason });

/** What the log of operators says about a command: no operator by name, and the reason. */
export function readOrder({ reason: text }: { readonly reason?: string }) {
  const reason = text?.trim() ?? '';
  if (reason.length === 0 || reason.length > REASON_LENGTH_MAX)
    throw new UsageError(`--reason takes a text of up to ${REASON_LENGTH_MAX} characters.`);
  return { actorId: null, reason };
}
