import type { Wallet } from '@assay/contract';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { refuseWith } from './answers.ts';
import type { ToolParts } from './tool-parts.ts';

/** What a tool would spend. */
interface Spending {
  /** Such as `Verifying 3 addresses`. */
  readonly what: string;
  readonly credits: number;
  /** For programs that cannot ask: what the person agreed to in the conversation. */
  readonly acceptedCredits: number | undefined;
}

type Consent =
  /** A call that is repeated with this key costs nothing again. */
  | { readonly isGiven: true; readonly idempotencyKey: string }
  | { readonly isGiven: false; readonly answer: CallToolResult | InputRequiredResult };

export const acceptedCreditsField = z
  .int()
  .min(0)
  .max(1_000_000)
  .optional()
  .describe(
    'Only for programs that cannot show questions: the credits that the person has agreed to spend on this call. Never fill it in without asking.',
  );

const agreement = z.object({ spend: z.boolean().describe('Whether to spend the credits') });
const question = 'spend';

/**
 * Asks the person before a tool spends credits. An assistant can be talked into anything by the texts that it reads, so only a
 * key with a monthly limit may pay: the limit bounds what it can lose.
 */
export async function askToSpend(
  { server, assay }: ToolParts,
  { mcpReq }: ServerContext,
  { what, credits, acceptedCredits }: Spending,
): Promise<Consent> {
  const stop = (answer: CallToolResult | InputRequiredResult): Consent => ({ isGiven: false, answer });
  const idempotencyKey = idempotencyKeyOf(mcpReq.requestState()) ?? crypto.randomUUID();
  const wallet = await assay.billing.getWallet();
  const key = wallet.api_key;
  if (key?.mode === 'test') return { isGiven: true, idempotencyKey };
  const { monthly_credit_limit: limit, month_credits: spent } = key ?? {};
  if (limit == null || spent == null) return stop(refuseWith(needsLimit));

  const cost = costIn(wallet, limit - spent, credits);
  // On connections of the older protocol without a session, the answer to a question could not come back.
  if (!canAsk(server, mcpReq)) {
    if (acceptedCredits !== undefined && acceptedCredits >= credits) return { isGiven: true, idempotencyKey };
    return stop(
      refuseWith(`${what} ${cost} Ask the person, then call again with accepted_credits: ${credits}.`),
    );
  }
  if (acceptedContent(mcpReq.inputResponses, question, agreement)?.spend)
    return { isGiven: true, idempotencyKey };
  if (inputResponse(mcpReq.inputResponses, question).kind !== 'missing')
    return stop(refuseWith('The person did not agree, so nothing was spent.'));
  const elicited = inputRequired.elicit({
    message: `${what} ${cost} Spend them?`,
    requestedSchema: agreement,
  });
  return stop(inputRequired({ inputRequests: { [question]: elicited }, requestState: idempotencyKey }));
}

/** In the newer protocol, each request says what its client can do; in the older one, the beginning of the connection did. */
function canAsk({ server }: McpServer, { envelope }: ServerContext['mcpReq']): boolean {
  const said = envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = said?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return (capabilities as ClientCapabilities | undefined)?.elicitation !== undefined;
}

const needsLimit =
  'This API key has no monthly credit limit, and assistants may spend only with one that has. Make such a key on the page "Keys and webhooks" of the account.';

const costIn = ({ balance }: Wallet, leftThisMonth: number, credits: number): string =>
  `costs up to ${count(credits, 'credit')}; the balance is ${balance}, and this key may spend ${Math.max(0, leftThisMonth)} more this month.`;

/** The client sends it back as it likes. It only repeats its own call with it. */
const idempotencyKeyOf = (state: unknown): string | undefined => z.uuid().safeParse(state).data;

export const count = (number: number, thing: string, things = `${thing}s`): string =>
  `${number} ${number === 1 ? thing : things}`;
