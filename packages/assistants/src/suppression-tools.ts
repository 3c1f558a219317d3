import * as z from 'zod';
import { answerOrRefuse, answerWith } from './answers.ts';
import { count } from './consent.ts';
import type { ToolParts } from './tool-parts.ts';

const targetsMax = 100;

/** Tools about whom a customer neither asks nor mails. */
export function addSuppressionTools({ server, assay }: ToolParts): void {
  server.registerTool(
    'find_suppressions',
    {
      title: 'Find suppressions',
      description:
        'Lists addresses and domains that are neither asked nor charged, with reason, source and end, the newest first, or those that contain a text. Free.',
      inputSchema: z.object({
        search: z.string().max(254).optional().describe('A part of the address or domain'),
        page: z.int().min(1).max(1_000).default(1),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ search, page }) =>
      answerOrRefuse(async () => {
        const query = { page_size: 25, page_number: page, ...(search && { search }) };
        const { results, total } = await assay.suppressions.listSuppressions({ query });
        return answerWith(`${count(total, 'entry', 'entries')}, the newest first.`, {
          suppressions: results,
          total,
        });
      }),
  );

  server.registerTool(
    'suppress',
    {
      title: 'Suppress addresses or domains',
      description: `Suppresses up to ${targetsMax} addresses or whole domains: from then on checks of them answer UNKNOWN at once and free, and lists leave them out. It can be undone in the product. Free.`,
      inputSchema: z.object({ targets: z.array(z.string().min(3).max(254)).min(1).max(targetsMax) }),
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    ({ targets }) =>
      answerOrRefuse(async () => {
        const entries = targets.map((target) => ({ target }));
        const counts = await assay.suppressions.addSuppressions({ body: { entries } });
        return answerWith(`${count(counts.added, 'entry', 'entries')} added.`, { ...counts });
      }),
  );
}
