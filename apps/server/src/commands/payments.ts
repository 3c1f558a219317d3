import { API_BASE } from '@assay/contract';
import { setUpPayments, webhookEvents, webhookPath } from '../features/billing/index.ts';
import { readStripeSetupConfig } from '../platform/config/index.ts';
import { type CommandIo, readArguments, runCommand, UsageError } from './command.ts';

const usage = `Usage:
  assay payments setup

Makes a product and a price for each plan and the customer portal's configuration in the Stripe account of
STRIPE_SECRET_KEY, or brings them up to date. May be repeated, and must be after the price list has changed.`;

/** `assay payments`: prepares the Stripe account. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { positionals } = readArguments(argv, {});
    if (positionals.join(' ') !== 'setup') throw new UsageError('Say what to do: setup.');

    const setup = readStripeSetupConfig(io.env);
    await setUpPayments(setup, (line) => io.stdout.write(`${line}\n`));
    io.stdout.write(
      `Everything is in place. The account also needs a webhook to ${setup.publicUrl}${API_BASE}${webhookPath} for\n` +
        `${webhookEvents.map((event) => `  ${event}`).join('\n')}\nGive its signing secret as STRIPE_WEBHOOK_SECRET.\n`,
    );
    return 0;
  });
}
