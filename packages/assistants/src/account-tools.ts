import * as z from 'zod';
import { answerOrRefuse, answerWith, refuseWith } from './answers.ts';
import { count } from './consent.ts';
import type { ToolParts } from './tool-parts.ts';

const mailLengthMax = 50_000;

/** Tools that are about no address of the customer's lists. */
export function addAccountTools({ server, assay }: ToolParts): void {
  server.registerTool(
    'get_balance',
    {
      title: 'Read the balance',
      description:
        'Says how many credits the account has, how many running work holds, and what this API key may still spend this month. Free.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    () =>
      answerOrRefuse(async () => {
        const { balance, held, subscription, api_key } = await assay.billing.getWallet();
        return answerWith(`${count(balance, 'credit')} can be spent; ${held} are held by running work.`, {
          balance,
          held,
          plan: subscription.plan.code,
          next_renewal_date: subscription.next_renewal_date,
          api_key: api_key ?? null,
        });
      }),
  );

  server.registerTool(
    'explain_bounce',
    {
      title: 'Explain a bounce',
      description:
        'Reads an SMTP reply such as `550 5.1.1 User unknown`, or the source of a mail that came back (a delivery report, a complaint, an automatic answer), and says for each recipient what it means and what to do: suppress, retry, mend the sender, or nothing. Free.',
      inputSchema: z.object({
        reply: z.string().min(3).max(10_000).optional().describe('The reply of a mail host'),
        mail: z
          .string()
          .min(1)
          .max(mailLengthMax)
          .optional()
          .describe('The source of the mail, with its headers'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ reply, mail }) =>
      answerOrRefuse(async () => {
        if ((reply === undefined) === (mail === undefined)) return refuseWith('Give either reply or mail.');
        const body = reply === undefined ? { mail } : { reply };
        const { results } = await assay.bounces.explain({ body });
        return answerWith(`${count(results.length, 'finding')}.`, { findings: results });
      }),
  );
}
