import { feedSecrets } from '../features/feeds/index.ts';
import { mailboxPasswords } from '../features/outcomes/index.ts';
import { renewKeys } from '../features/users/index.ts';
import { webhookSecrets } from '../features/webhooks/index.ts';
import { readSecretConfig } from '../platform/config/index.ts';
import { renewSecrets } from '../platform/crypto/rotated-secrets.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { defineVerbs, refuseWords, withDatabase } from './command.ts';

/** `assay secret`: the second half of changing ASSAY_SECRET. */
export const run = defineVerbs(
  'secret',
  {},
  {
    rotate: async (command) => {
      refuseWords(command);
      const { secret, previousSecrets } = readSecretConfig(command.env);
      const secrets = createSecrets(secret, previousSecrets);
      return withDatabase(command, async (db) => {
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
    },
  },
);
