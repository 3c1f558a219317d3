import type { Screener, Screening } from '@assay/verifier';
import type { Schedule } from '../../platform/clock.ts';

/** A customer waits for an estimate in a dialog. */
const patienceMs = 8_000;

/** What a sample of addresses shows without asking mail hosts. */
export async function screenSample(emails: readonly string[], screener: Screener, schedule: Schedule) {
  const screenings = await screenAll(emails, screener, schedule);
  const count = (isOne: (screening: Screening) => boolean): number =>
    screenings.filter((screening) => screening !== undefined && isOne(screening)).length;
  const mail_host = count(({ mailHost }) => mailHost === 'found');
  const no_mail_host = count(({ mailHost }) => mailHost === 'none');
  const sampled = screenings.length;
  return {
    hosts: { sampled, no_mail_host, mail_host, not_looked_up: sampled - mail_host - no_mail_host },
    providers: countProviders(screenings),
    traits: {
      disposable: count(({ flags }) => flags.disposable),
      role: count(({ flags }) => flags.role),
      typo: count(({ meantDomain }) => meantDomain !== undefined),
    },
  };
}

interface ProviderCount {
  /** Null for all without published limits. */
  readonly name: string | null;
  readonly brand: string | null;
  readonly addresses: number;
}

/** Who takes the mail of the sample. */
function countProviders(screenings: readonly (Screening | undefined)[]): ProviderCount[] {
  const counts = new Map<string | null, ProviderCount>();
  for (const screening of screenings) {
    if (screening?.mailHost !== 'found') continue;
    const { name = null, brand = null } = screening.provider ?? {};
    counts.set(name, { name, brand, addresses: (counts.get(name)?.addresses ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** Addresses whose lookup takes too long stay without a screening. */
async function screenAll(
  emails: readonly string[],
  screener: Screener,
  schedule: Schedule,
): Promise<(Screening | undefined)[]> {
  const found: (Screening | undefined)[] = emails.map(() => undefined);
  const lookups = emails.map(async (email, index) => {
    found[index] = await screener.screen(email);
  });
  await new Promise<void>((resolve, reject) => {
    const cancel = schedule(resolve, patienceMs);
    Promise.all(lookups)
      .then(() => resolve(), reject)
      .finally(cancel);
  });
  return [...found];
}
