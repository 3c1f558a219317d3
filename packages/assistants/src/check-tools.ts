import type { SingleValidation, SingleValidationDetail } from '@assay/contract';
import * as z from 'zod';
import { answerOrRefuse, answerWith } from './answers.ts';
import { acceptedCreditsField, askToSpend, count } from './consent.ts';
import type { ToolParts } from './tool-parts.ts';

/** Shorter than the minute after which many clients give up. */
const waitSeconds = 25;
const addressesAtOnceMax = 20;

const addressField = z.string().min(3).max(1_000);

/** Tools that verify addresses one by one, and read such checks. */
export function addCheckTools(parts: ToolParts): void {
  const { server, assay } = parts;

  const verify = (emailAddress: string, ignoresSuppression: boolean | undefined, idempotencyKey: string) =>
    assay.validations.startSingle({
      query: { wait: waitSeconds },
      body: {
        email_address: emailAddress,
        ...(ignoresSuppression && { ignore_suppression: true }),
      },
      idempotencyKey,
    });

  server.registerTool(
    'verify_email',
    {
      title: 'Verify an address',
      description: `Finds out whether one address receives mail, by asking its mail host; nothing is sent to it. Costs 1 credit, or nothing if the verdict is UNKNOWN or the address is suppressed. Waits up to ${waitSeconds} seconds; a check that takes longer goes on, and get_check reads it. For more than ${addressesAtOnceMax} addresses use verify_list.`,
      inputSchema: z.object({ email: addressField, accepted_credits: acceptedCreditsField }),
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    ({ email, accepted_credits }, context) =>
      answerOrRefuse(async () => {
        const spending = { what: 'Verifying 1 address', credits: 1, acceptedCredits: accepted_credits };
        const consent = await askToSpend(parts, context, spending);
        if (!consent.isGiven) return consent.answer;
        const check = await verify(email, false, consent.idempotencyKey);
        return answerWith(sentenceOf(check), { check: checkAnswer(check) });
      }),
  );

  server.registerTool(
    'verify_emails',
    {
      title: 'Verify several addresses',
      description: `Verifies up to ${addressesAtOnceMax} addresses at once, each as verify_email does, and answers each with a verdict or the reason why it was not verified. Costs 1 credit for each verdict but UNKNOWN.`,
      inputSchema: z.object({
        emails: z.array(addressField).min(1).max(addressesAtOnceMax),
        accepted_credits: acceptedCreditsField,
      }),
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    ({ emails, accepted_credits }, context) =>
      answerOrRefuse(async () => {
        const distinct = [...new Set(emails)];
        const what = `Verifying ${count(distinct.length, 'address', 'addresses')}`;
        const spending = { what, credits: distinct.length, acceptedCredits: accepted_credits };
        const consent = await askToSpend(parts, context, spending);
        if (!consent.isGiven) return consent.answer;
        const checks = await Promise.all(
          distinct.map((email, index) =>
            verify(email, false, `${consent.idempotencyKey}-${index}`).then(
              checkAnswer,
              (error: unknown) => ({
                email_address: email,
                problem: error instanceof Error ? error.message : String(error),
              }),
            ),
          ),
        );
        return answerWith(`Results of ${count(checks.length, 'address', 'addresses')}.`, { checks });
      }),
  );

  server.registerTool(
    'get_check',
    {
      title: 'Read a check',
      description:
        'Reads one check that verify_email or verify_emails started, with the evidence behind its verdict: each step, the host that was asked and what it replied. Free.',
      inputSchema: z.object({ check_id: z.uuid() }),
      annotations: { readOnlyHint: true },
    },
    ({ check_id }) =>
      answerOrRefuse(async () => {
        const check = await assay.validations.getSingle({ params: { validation_id: check_id } });
        return answerWith(sentenceOf(check), {
          check: { ...checkAnswer(check), flags: check.flags, evidence: evidenceOf(check) },
        });
      }),
  );
}

const sentenceOf = ({ email_address_status, status }: SingleValidation): string =>
  status === 'COMPLETE'
    ? `The verdict is ${email_address_status}.`
    : 'The check still runs. Read it later with get_check.';

const checkAnswer = ({
  id,
  email_address,
  email_address_status,
  status,
  reason,
  waiting,
}: SingleValidation) => ({
  check_id: id,
  email_address,
  status,
  verdict: email_address_status,
  reason: reason?.code ?? null,
  explanation: reason?.text ?? waiting?.text ?? null,
});

const evidenceOf = ({ evidence }: SingleValidationDetail) =>
  evidence.map(({ stage, host, reply }) => ({ stage, host, reply }));
