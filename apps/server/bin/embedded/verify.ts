import { runVerify } from '@assay/verifier/cli/verify';
import type { CommandIo } from '../command-io.ts';
import { mailWorldIsGiven } from './given-parts.ts';

/** `assay verify`: real DNS and port 25, and the embedded mail world for `.test`, whether or not the product runs. */
export async function verify(argv: string[], io: CommandIo): Promise<number> {
  if (mailWorldIsGiven(io.env) || argv.some((word) => /^--(dns|smtp-port|allow-range)\b/.test(word))) {
    return runVerify(argv, { ...io, defaults: configuredDefaults(io.env) });
  }

  // Loaded only where needed: a script that names its own mail world should not wait for it.
  const { startMailWorld } = await import('@assay/mail-world');
  const world = await startMailWorld({ forward: true });
  try {
    return await runVerify(argv, { ...io, defaults: { dns: world.dns, allowRanges: world.allowRanges } });
  } finally {
    await world.close();
  }
}

function configuredDefaults(env: NodeJS.ProcessEnv) {
  return {
    ...(env.ASSAY_DNS ? { dns: env.ASSAY_DNS } : {}),
    ...(env.ASSAY_SMTP_PORT ? { smtpPort: Number(env.ASSAY_SMTP_PORT) } : {}),
    ...(env.ASSAY_ALLOW_RANGES ? { allowRanges: env.ASSAY_ALLOW_RANGES.split(',') } : {}),
  };
}
