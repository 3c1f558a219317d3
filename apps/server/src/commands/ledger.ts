import { auditLedger, type Disagreement } from '../features/billing/index.ts';
import { auditGuesses, type GuessDisagreement } from '../features/guessing/index.ts';
import { defineVerbs, refuseWords, withDatabase } from './command.ts';

/** `assay ledger`: checks the ledger. */
export const run = defineVerbs(
  'ledger',
  {},
  {
    audit: async (command) => {
      refuseWords(command);
      return withDatabase(command, async (db) => {
        let count = 0;
        for (const audit of [auditLedger, auditGuesses]) {
          for await (const disagreement of audit(db)) {
            count += 1;
            command.print([disagreement], `${describe(disagreement)}\n`);
          }
        }
        command.print(
          [{ disagreements: count }],
          count === 0
            ? 'The ledger agrees: every balance, hold and settlement is what the entries say.\n'
            : `The ledger does not agree: ${count} ${count === 1 ? 'disagreement' : 'disagreements'}.\n`,
        );
        return count === 0 ? 0 : 1;
      });
    },
  },
);

type Finding = Disagreement | GuessDisagreement;

const says: Record<Finding['finding'], string> = {
  balance: 'balance',
  bought: 'bought credits that are left',
  entry_count: 'number of entries',
  held: 'credits on hold',
  entry_number: 'number of entry',
  balance_after: 'balance after entry',
  capture_without_entry: 'entry missing for settled hold',
  capture_amount: 'amount of the entry for settled hold',
  entry_without_capture: 'entry without a settled hold:',
  purchase_without_entry: 'entry missing for paid invoice',
  purchase_amount: 'amount of the entry for paid invoice',
  entry_without_purchase: 'entry without a paid invoice:',
  coupon_without_entry: 'entry missing for redeemed coupon',
  coupon_amount: 'amount of the entry for redeemed coupon',
  entry_without_coupon: 'entry without a redeemed coupon:',
  refunds_above_purchase: 'credits taken back for invoice',
  frozen: 'credits taken for dispute or refund',
  claimed: 'disputed and refunded credits on hold',
  key_usage: 'credits of API key',
  coupon_count: 'redemptions of coupon',
  guess_charge: 'credits charged for',
  guess_hold: 'credits on hold for',
  wallet_missing: 'no wallet, but entries or holds',
};

function describe({ ownerId, finding, subject, expected, actual }: Finding): string {
  const what = subject === null ? says[finding] : `${says[finding]} ${subject}`;
  const numbers = [
    expected === null ? '' : `should be ${expected}`,
    actual === null ? '' : `is ${actual}`,
  ].filter(Boolean);
  const whose = ownerId === null ? 'all customers' : `customer ${ownerId}`;
  return `${whose}: ${[what, ...numbers].join(', ')}`;
}
