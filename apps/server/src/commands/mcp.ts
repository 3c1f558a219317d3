import { serveAssistant } from '@assay/assistants/stdio';
import { readVersion } from '../platform/version.ts';
import { type CommandIo, CommandRefused, readArguments, runCommand, UsageError } from './command.ts';

/** `assay mcp`: the tools for assistants that start a program of their own. It needs a key and no database. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'mcp', argv, io }, async ({ argv: words, env }) => {
    const { positionals } = readArguments(words, {});
    if (positionals.length > 0) throw new UsageError('It takes no arguments.');
    const { ASSAY_URL: publicUrl, ASSAY_API_KEY: apiKey } = env;
    if (!publicUrl || !URL.canParse(publicUrl))
      throw new CommandRefused('Set ASSAY_URL to where the product is, such as https://assay.example.');
    if (!apiKey) throw new CommandRefused('Set ASSAY_API_KEY to an API key with a monthly credit limit.');
    const { version } = await readVersion(null);
    await serveAssistant({ publicUrl, apiKey, version });
    return 0;
  });
}
