/** Why a call by `fetch` failed: a code such as `CERT_HAS_EXPIRED` or `ENOTFOUND`, which fetch hides in the cause, or its message. */
export function whyFetchFailed(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
