import type { ListEmail, ValidationList } from '@assay/contract';
import { VERDICTS } from '@assay/contract';
import * as z from 'zod';
import { answerOrRefuse, answerWith } from './answers.ts';
import { acceptedCreditsField, askToSpend, count } from './consent.ts';
import type { ToolParts } from './tool-parts.ts';

/** What fits into a conversation. Longer lists are uploaded as files. */
const pastedAddressesMax = 2_000;
const rowsMax = 50;

const addressesField = z
  .array(z.string().min(1).max(1_000))
  .min(1)
  .max(pastedAddressesMax)
  .describe('The addresses, one each');

/** Tools about lists of addresses. */
export function addListTools(parts: ToolParts): void {
  const { server, assay, publicUrl } = parts;
  const pageOf = ({ id }: ValidationList) => new URL(`/email-verification/bulk/${id}`, publicUrl).href;

  server.registerTool(
    'estimate_list',
    {
      title: 'Estimate a list',
      description: `Says what up to ${pastedAddressesMax} addresses would cost at most as a list, how many are duplicated, malformed or suppressed, and what a sample shows, without asking mail hosts. Free.`,
      inputSchema: z.object({ emails: addressesField }),
      annotations: { readOnlyHint: true },
    },
    ({ emails }) =>
      answerOrRefuse(async () => {
        // A line break in an address would make two rows of it.
        const text = emails.map((email) => email.replace(/[\r\n]+/g, ' ')).join('\n');
        const preview = await assay.validations.previewList({
          body: { list_raw: new File([text], 'addresses.txt', { type: 'text/plain' }) },
        });
        const { total_credits, metrics_without_headers: counts, upload_id } = preview;
        const sample = await assay.validations.estimateList({ params: { upload_id } });
        return answerWith(`It costs at most ${count(total_credits, 'credit')}.`, {
          credits_at_most: total_credits,
          rows: counts,
          sample,
        });
      }),
  );

  server.registerTool(
    'verify_list',
    {
      title: 'Verify a list',
      description: `Starts the verification of up to ${pastedAddressesMax} addresses as a list and answers at once; get_list shows how far it is. Costs 1 credit for each address with a verdict but UNKNOWN; duplicated, malformed and suppressed ones are free. Larger files are uploaded in the product.`,
      inputSchema: z.object({
        name: z.string().min(1).max(100).describe('What the list is called in the product'),
        emails: addressesField,
        accepted_credits: acceptedCreditsField,
      }),
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    ({ name, emails, accepted_credits }, context) =>
      answerOrRefuse(async () => {
        const credits = new Set(emails.map((email) => email.trim().toLowerCase())).size;
        const what = `Verifying a list of ${count(credits, 'address', 'addresses')}`;
        const consent = await askToSpend(parts, context, {
          what,
          credits,
          acceptedCredits: accepted_credits,
        });
        if (!consent.isGiven) return consent.answer;
        const { idempotencyKey } = consent;
        const list = await assay.validations.createListFromEmails({ body: { name, emails }, idempotencyKey });
        return answerWith('The list has started. get_list shows how far it is.', {
          list: listAnswer(list),
          page: pageOf(list),
        });
      }),
  );

  server.registerTool(
    'find_lists',
    {
      title: 'Find lists',
      description:
        'Lists the newest lists, or those whose name contains a text, with their state and counts. Free.',
      inputSchema: z.object({
        search: z.string().max(100).optional().describe('A part of the name'),
        page: z.int().min(1).max(1_000).default(1),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ search, page }) =>
      answerOrRefuse(async () => {
        const query = { page_size: 10, page_number: page, ...(search && { search }) };
        const { results, total } = await assay.validations.listLists({ query });
        return answerWith(`${count(total, 'list')}, the newest first.`, {
          lists: results.map(listAnswer),
          total,
        });
      }),
  );

  server.registerTool(
    'get_list',
    {
      title: 'Read a list',
      description: `Shows how far a list is, counts its verdicts, and answers up to ${rowsMax} of its rows and a link to its page, where the whole result can be downloaded. Free.`,
      inputSchema: z.object({
        list_id: z.uuid(),
        verdict: z.enum(VERDICTS).optional().describe('Only rows with this verdict'),
        rows: z.int().min(0).max(rowsMax).default(10),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ list_id, verdict, rows }) =>
      answerOrRefuse(async () => {
        const params = { list_id };
        const list = await assay.validations.getList({ params });
        const query = { page_size: Math.max(1, rows), ...(verdict && { status: verdict }) };
        const shown = rows > 0 ? (await assay.validations.listEmails({ params, query })).results : [];
        return answerWith(
          list.status === 'COMPLETE' ? 'The list is complete.' : `The list is ${list.progress} % done.`,
          { list: listAnswer(list), rows: shown.map(rowAnswer), page: pageOf(list) },
        );
      }),
  );
}

const listAnswer = (list: ValidationList) => ({
  list_id: list.id,
  name: list.name,
  status: list.status,
  run_state: list.run_state,
  progress_percent: list.progress,
  addresses: list.total_emails,
  verdicts: list.email_metrics,
  safe_to_send: list.safe_emails,
  charged_credits: list.charged_credits,
  created: list.creation_date,
});

const rowAnswer = ({ email_address, email_address_status, reason }: ListEmail) => ({
  email_address,
  verdict: email_address_status,
  reason: reason?.code ?? null,
  explanation: reason?.text ?? null,
});
