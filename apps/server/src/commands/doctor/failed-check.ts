import type { Finding } from '../finding.ts';

/** Codes of Node and OpenSSL for certificates that are not trusted, are for another name, or have expired. */
const certificateCode = /(?:^|_)CERT(?:_|$)|^UNABLE_TO_(?:GET|VERIFY|DECRYPT)/;

/** A problem that an error showed. A certificate that is not trusted has a fix of its own. */
export function failedCheck(
  check: string,
  error: unknown,
  otherwise: { detail: string; fix: string },
): Finding {
  const code = certificateProblemOf(error);
  if (code === null) return { check, status: 'problem', ...otherwise };
  return {
    check,
    status: 'problem',
    detail: `This machine does not trust the certificate of the other side (${code}).`,
    fix: 'Renew it, or give the certificate of its authority to every process: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  };
}

/** Libraries wrap the error of the connection, some of them twice. */
function certificateProblemOf(error: unknown, depth = 0): string | null {
  if (typeof error !== 'object' || error === null || depth > 4) return null;
  const { code, cause, detail } = error as { code?: unknown; cause?: unknown; detail?: unknown };
  if (typeof code === 'string' && certificateCode.test(code)) return code;
  return certificateProblemOf(cause, depth + 1) ?? certificateProblemOf(detail, depth + 1);
}
