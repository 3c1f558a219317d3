import { describe, expect, it } from 'vitest';
import { type Reason, reasons, resultOf } from './reasons.ts';

/** The reasons that a customer pays for. */
const charged: Record<string, readonly Reason[]> = {
  VALID: ['mailbox_accepted'],
  CATCH_ALL: ['catch_all'],
  INVALID: [
    ...(['syntax_missing_part', 'syntax_local_part', 'syntax_domain', 'syntax_too_long'] as const),
    ...(['syntax_control_character', 'syntax_comment', 'syntax_ip_literal'] as const),
    ...(['no_such_domain', 'no_mail_host', 'null_mx'] as const),
    ...(['no_such_mailbox', 'mailbox_disabled', 'mailbox_name_not_supported'] as const),
  ],
};

describe('a reason', () => {
  it.each(Object.entries(charged))('of %s is a proof', (result, ofResult) => {
    expect(ofResult.map(resultOf)).toEqual(ofResult.map(() => result));
  });

  it('that proves nothing is UNKNOWN and costs nothing', () => {
    const proofs = Object.values(charged).flat();
    const others = (Object.keys(reasons) as Reason[]).filter((reason) => !proofs.includes(reason));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((reason) => resultOf(reason) !== 'UNKNOWN')).toEqual([]);
  });
});
