import { renewKeys } from '../features/users/index.ts';
import { renewWebhookSecrets } from '../features/webhooks/index.ts';
import { readSecretConfig } from '../platform/config/index.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';

const usage = `Usage:
  assay secret rotate

Encrypts with ASSAY_SECRET what a secret of ASSAY_PREVIOUS_SECRETS encrypted: API keys and signing secrets of webhooks.
Workers do the same with mailbox tokens. May be repeated, and while everything runs. See docs/operations.md.`;

/** `assay secret`: the second half of changing ASSAY_SECRET. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { positionals } = readArguments(argv, {});
    if (positionals.join(' ') !== 'rotate') throw new UsageError('Say what to do: rotate.');

    const { secret, previousSecrets } = readSecretConfig(io.env);
    const secrets = createSecrets(secret, previousSecrets);
    return withDatabase(io, async (db) => {
      const keys = await renewKeys(db, secrets);
      const webhooks = await renewWebhookSecrets(db, secrets);
      io.stdout.write(`Encrypted again: ${keys} API keys, ${webhooks} webhooks.\n`);
      return 0;
    });
  });
}
