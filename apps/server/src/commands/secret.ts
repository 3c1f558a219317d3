import { feedSecrets } from '../features/feeds/index.ts';
import { mailboxPasswords } from '../features/outcomes/index.ts';
import { renewKeys } from '../features/users/index.ts';
import { webhookSecrets } from '../features/webhooks/index.ts';
import { readSecretConfig } from '../platform/config/index.ts';
import { renewSecrets } from '../platform/crypto/rotated-secrets.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';

/** `assay secret`: the second half of changing ASSAY_SECRET. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'secret', argv, io }, async (command) => {
    const { positionals } = readArguments(command.argv, {});
    if (positionals.join(' ') !== 'rotate') throw new UsageError('Say what to do: rotate.');

    const { secret, previousSecrets } = readSecretConfig(io.env);
    const secrets = createSecrets(secret, previousSecrets);
    return withDatabase(io, async (db) => {
      const keys = await renewKeys(db, secrets);
      const webhooks = await renewSecrets(db, secrets, webhookSecrets);
      const feeds = await renewSecrets(db, secrets, feedSecrets);
      const mailboxes = await renewSecrets(db, secrets, mailboxPasswords);
      command.print(
        [{ api_keys: keys, webhooks, feeds, mailboxes }],
        `Encrypted again: ${keys} API keys, ${webhooks} webhooks, ${feeds} feeds, ${mailboxes} mailboxes.\n`,
      );
      return 0;
    });
  });
}
