import { renewFeedSecrets } from '../features/feeds/index.ts';
import { renewKeys } from '../features/users/index.ts';
import { renewWebhookSecrets } from '../features/webhooks/index.ts';
import { readSecretConfig } from '../platform/config/index.ts';
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
      const webhooks = await renewWebhookSecrets(db, secrets);
      const feeds = await renewFeedSecrets(db, secrets);
      command.print(
        [{ api_keys: keys, webhooks, feeds }],
        `Encrypted again: ${keys} API keys, ${webhooks} webhooks, ${feeds} feeds.\n`,
      );
      return 0;
    });
  });
}
