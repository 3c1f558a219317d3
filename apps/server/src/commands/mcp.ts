import { serveAssistant } from '@assay/assistants/stdio';
import { readVersion } from '../platform/version.ts';
import { CommandRefused, defineCommand, refuseWords } from './command.ts';

/** `assay mcp`: the tools for assistants that start a program of their own. It needs a key and no database. */
export const run = defineCommand('mcp', {}, async (command) => {
  refuseWords(command);
  const { ASSAY_URL: publicUrl, ASSAY_API_KEY: apiKey } = command.env;
  if (!publicUrl || !URL.canParse(publicUrl))
    throw new CommandRefused('Set ASSAY_URL to where the product is, such as https://assay.example.');
  if (!apiKey) throw new CommandRefused('Set ASSAY_API_KEY to an API key with a monthly credit limit.');
  const { version } = await readVersion(null);
  await serveAssistant({ publicUrl, apiKey, version });
  return 0;
});
