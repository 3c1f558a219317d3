import nodemailer, { type SendMailOptions } from 'nodemailer';

/** Time-out of the relay. */
const silenceMaxMs = 20_000;

/** Gives a mail to the relay. Errors contain no addresses. */
export async function sendMail(relayUrl: string, mail: SendMailOptions, signal: AbortSignal): Promise<void> {
  const relay = nodemailer.createTransport({
    url: relayUrl,
    connectionTimeout: silenceMaxMs,
    greetingTimeout: silenceMaxMs,
    socketTimeout: silenceMaxMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const leaveOff = () => relay.close();
  signal.addEventListener('abort', leaveOff);
  try {
    await relay.sendMail({ ...mail, headers: { 'auto-submitted': 'auto-generated', ...mail.headers } });
  } catch (error) {
    throw new Error(problemOf(error));
  } finally {
    signal.removeEventListener('abort', leaveOff);
    relay.close();
  }
}

/** Libraries put addresses into their messages, so we keep only the reply code. */
function problemOf(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode
    ? `The relay refused the mail with ${responseCode}.`
    : `The relay could not be reached (${code ?? 'no reason given'}).`;
}
